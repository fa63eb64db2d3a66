import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createTranslator } from 'next-intl'
import { describe, expect, test } from 'vitest'
import { en } from '../src/messages/en/index.ts'
import { zhCN } from '../src/messages/zh-CN/index.ts'

const flatten = (texts: object, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]: [string, unknown]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? flatten(value, `${prefix}${key}.`)
      : [[`${prefix}${key}`, String(value)]],
  )

/** What a text takes: the names of its arguments, each once, and which of them are numbers. */
const argumentsOf = (text: string): Record<string, 'number' | 'text'> =>
  Object.fromEntries(
    [...text.matchAll(/\{(\w+)(, (?:number|plural))?[,}]/g)].map(([, name, isNumber]) => [
      name,
      isNumber ? 'number' : 'text',
    ]),
  )

const chinese = flatten(zhCN)
const english = new Map(flatten(en))

const languages = ['zh-CN', 'en'] as const
const messages = { 'zh-CN': zhCN, en }

/** Every message with that amount for each of its numbers and something for its other arguments. */
function speak(locale: (typeof languages)[number], amount: number) {
  const faults: string[] = []
  const t = createTranslator({
    locale,
    messages: messages[locale],
    onError: (error) => faults.push(error.message),
  })
  const said = flatten(messages[locale]).map(([key, text]): string => {
    const given = Object.entries(argumentsOf(text)).map(([name, kind]) => [
      name,
      kind === 'number' ? amount : 'x',
    ])
    return Reflect.apply(t, undefined, [
      key,
      {
        ...Object.fromEntries(given),
        device: (chunks: string) => chunks,
        refund: (chunks: string) => chunks,
        order: (chunks: string) => chunks,
        link: (chunks: string) => chunks,
        mailbox: (chunks: string) => chunks,
      },
    ])
  })
  return { faults, said }
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('messages'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
}

/** Keys taken as a whole list by a code that comes from the API or from a table of types. */
const lists = [
  'shell.groups.',
  'shell.pages.',
  'shell.themes.',
  'shell.roles.',
  'session.failures.',
  'audit.actions.',
  'audit.subjects.',
  'staff.acts.',
  'staff.roleHints.',
  'staff.tabs.',
  'staff.signInFailures.reasons.',
  'palette.matched.',
  'ui.exportFormats.',
  'orders.statuses.',
  'orders.sorts.',
  'alerts.healedBy.',
  'approvals.names.',
  'alerts.severities.',
  'alerts.places.',
  'alerts.facts.',
  'alerts.codes.',
  'mismatch.fields.',
  'order.outcomes.',
  'order.grantKinds.',
  'order.notificationOutcomes.',
  'order.notificationTypes.',
  'order.eventKinds.',
  'order.sheetErrors.',
  'inquiries.opinions.',
  'inquiries.reasons.',
  'alerts.advice.',
  'plans.item.states.',
  'plans.item.meanings.',
  'compliance.platforms.',
  'order.platformReplies.',
  'order.channels.',
  'order.parkReasons.',
  'order.closeReasons.',
  'diagnosis.views.',
  'diagnosis.changeKinds.',
  'diagnosis.kinds.',
  'diagnosis.waveforms.',
  'diagnosis.fields.',
  'reports.kinds.',
  'settings.groups.',
  'settings.names.',
  'settings.hints.',
  'settings.bounds.',
  'settings.choices.',
  'settings.units.',
  'settings.platforms.',
  'settings.purposes.',
  'settings.template.',
  'programBounds.fields.',
  'plans.form.labels.',
  'plans.form.hints.',
  'plans.form.faults.',
  'order.acts.',
  'refunds.statuses.',
  'refunds.reasons.',
  'refunds.origins.',
  'refunds.channels.',
  'refunds.obstacles.',
  'refunds.destinations.',
  'refunds.card.',
  'refunds.contradiction.',
  'refunds.failures.',
  'refunds.secondPayment.payers.',
  'refunds.stop.refused',
  'refunds.stop.stopped',
  'refunds.cardHints.',
  'notifications.reasons.',
  'notifications.orderStatuses.',
  'alerts.views.',
  'alerts.choices.',
  'alerts.effects.',
  'alerts.kinds.',
  'inbox.views.',
  'inbox.kinds.',
  'inbox.urgencies.',
  'inbox.stuck.',
  'inbox.empty.',
  'inbox.choices.',
  'alertChannels.kinds.',
  'alertChannels.states.',
  'alertChannels.messageKinds.',
  'alertChannels.messageStates.',
  'approvals.obstacles.',
  'approvals.approve',
  'approvals.reject',
  'approvals.withdraw',
  'subscriptions.states.',
  'users.states.',
  'users.messageKinds.',
  'users.messageFailures.',
  'users.testOutcomes.',
  'users.notices.',
  'users.disable.',
  'users.enable.',
  'users.endSession.',
  'users.endSessions.',
  'devices.states.',
  'devices.origins.',
  'devices.endReasons.',
  'devices.disable.',
  'devices.enable.',
  'devices.importing.faultKinds.',
  'reconciliation.states.',
  'reconciliation.tradeStates.',
  'reconciliation.attemptAnswers.',
  'reconciliation.sums.',
  'reconciliation.kinds.',
  'reconciliation.billKinds.',
  'reconciliation.differenceStates.',
  'reconciliation.actions.',
  'reconciliation.resolutions.',
  'reconciliation.verdicts.',
  'shipping.states.',
  'dashboard.periods.',
  'dashboard.money.',
  'dashboard.steps.',
  'dashboard.userFunnel.steps.',
  'exports.schedules.kinds.',
  'jobs.counts.',
  'jobs.names.',
  'jobs.times.',
  'keys.kinds.',
  'keys.sources.',
  'subscriptions.features.',
  'subscriptions.why.',
  'subscriptions.kinds.',
  'subscriptions.requestStates.',
  'subscriptions.dialog.submit.',
  'subscriptions.dialog.outcomes.',
  'staff.signInFailures.reasons.',
  'feed.acts.',
  'imports.verdicts.',
  'imports.states.',
  'imports.why.',
  'tags.colors.',
  'webhooks.types.',
  'webhooks.states.',
  'webhooks.deliveries.states.',
]

/** Whether a source names the key, whole or below the noun its translator was made for. */
function isUsed(key: string, quoted: ReadonlySet<string>): boolean {
  if (lists.some((list) => key.startsWith(list))) return true
  const parts = key.split('.')
  return parts.some((_, at) => quoted.has(parts.slice(at).join('.')))
}

describe('the messages', () => {
  test('have the same keys in both languages', () => {
    expect([...english.keys()].sort()).toEqual(chinese.map(([key]) => key).sort())
  })

  test('take the same arguments in both languages', () => {
    const needs = (texts: Iterable<[string, string]>) =>
      Object.fromEntries([...texts].map(([key, text]) => [key, argumentsOf(text)]))
    expect(needs(english)).toEqual(needs(chinese))
  })

  test('are translated: no English text holds Chinese, and no Chinese one is plain English', () => {
    const names = ['shell.product', 'alertChannels.kinds.webhook']
    expect([...english].filter(([, text]) => /\p{Script=Han}/u.test(text))).toEqual([])
    const words = chinese.filter(
      ([key, text]) => !names.includes(key) && /[a-z]{3}/i.test(text.replace(/\{[^}]*\}/g, '')),
    )
    expect(words.filter(([, text]) => !/\p{Script=Han}/u.test(text))).toEqual([])
  })

  test('are all used', () => {
    const code = sources(path.join(import.meta.dirname, '../src')).join('\n')
    const quoted = new Set([...code.matchAll(/'([\w.-]+)'/g)].map(([, text = '']) => text))
    expect(chinese.map(([key]) => key).filter((key) => !isUsed(key, quoted))).toEqual([])
  })

  test('have a word for every act that the API writes to the audit log', () => {
    const api = sources(path.join(import.meta.dirname, '../../api/src')).join('\n')
    const acts = new Set(
      [...api.matchAll(/\baction: '(\w+\.\w+)'/g)].map(([, act = '']) => act.replace('.', '_')),
    )
    expect(acts.size).toBeGreaterThan(30)
    expect([...acts].filter((act) => !english.has(`audit.actions.${act}`))).toEqual([])
  })

  test('have a word for every kind of thing that the API writes to the audit log', () => {
    const api = sources(path.join(import.meta.dirname, '../../api/src')).join('\n')
    const kinds = new Set(
      [...api.matchAll(/\bsubject: \{\s*type: '(\w+)'|\btype: '(\w+)', id\b/g)].map(
        ([, one, other]) => one ?? other ?? '',
      ),
    )
    expect(kinds.size).toBeGreaterThan(15)
    expect([...kinds].filter((kind) => !english.has(`audit.subjects.${kind}`))).toEqual([])
  })

  test('are well-formed in both languages', () => {
    expect(languages.flatMap((language) => speak(language, 3).faults)).toEqual([])
  })

  test('count one thing as one, and thousands with their separators', () => {
    const said = (language: (typeof languages)[number], amount: number) => speak(language, amount).said
    expect(said('en', 1).filter((text) => /\b1 [a-z]{2,}s\b/.test(text))).toEqual([])
    expect(languages.flatMap((language) => said(language, 1234)).filter((text) => /1234/.test(text))).toEqual(
      [],
    )
    expect([...chinese, ...english].filter(([, text]) => text.includes('{count}'))).toEqual([])
  })
})
