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

const argumentsOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map((match) => match[1] ?? ''))].sort()

const chinese = flatten(zhCN)
const english = new Map(flatten(en))

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
  'staff.acts.',
  'staff.roleHints.',
  'staff.tabs.',
  'orders.statuses.',
  'orders.sorts.',
  'order.outcomes.',
  'order.grantKinds.',
  'order.notificationOutcomes.',
  'order.eventKinds.',
  'order.channels.',
  'order.parkReasons.',
  'order.closeReasons.',
  'diagnosis.views.',
  'diagnosis.changeKinds.',
  'diagnosis.kinds.',
  'diagnosis.waveforms.',
  'diagnosis.fields.',
  'diagnosis.faults.',
  'reports.kinds.',
  'settings.groups.',
  'settings.names.',
  'settings.hints.',
  'settings.bounds.',
  'settings.choices.',
  'settings.units.',
  'settings.platforms.',
  'plans.form.labels.',
  'plans.form.hints.',
  'plans.form.faults.',
  'order.acts.',
  'refunds.statuses.',
  'refunds.reasons.',
  'refunds.obstacles.',
  'refunds.destinations.',
  'refunds.card.',
  'refunds.cardHints.',
  'notifications.reasons.',
  'notifications.orderStatuses.',
  'alerts.views.',
  'alerts.choices.',
  'alerts.effects.',
  'alerts.kinds.',
  'subscriptions.states.',
  'users.states.',
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
  'dashboard.alertKinds.',
  'jobs.counts.',
  'jobs.names.',
  'keys.kinds.',
  'keys.sources.',
  'subscriptions.features.',
  'subscriptions.why.',
  'subscriptions.kinds.',
  'subscriptions.requestStates.',
  'subscriptions.dialog.submit.',
  'subscriptions.dialog.outcomes.',
]

/** Whether a source names the key, whole or below the noun its translator was made for. */
function isUsed(key: string, code: string): boolean {
  if (lists.some((list) => key.startsWith(list))) return true
  const parts = key.split('.')
  const tails = parts.map((_, at) => parts.slice(at).join('.'))
  return tails.some((tail) => code.includes(`'${tail}'`))
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
    const names = ['shell.product']
    expect([...english].filter(([, text]) => /\p{Script=Han}/u.test(text))).toEqual([])
    const words = chinese.filter(
      ([key, text]) => !names.includes(key) && /[a-z]{3}/i.test(text.replace(/\{[^}]*\}/g, '')),
    )
    expect(words.filter(([, text]) => !/\p{Script=Han}/u.test(text))).toEqual([])
  })

  test('are all used', () => {
    const code = sources(path.join(import.meta.dirname, '../src')).join('\n')
    expect(chinese.map(([key]) => key).filter((key) => !isUsed(key, code))).toEqual([])
  })

  test('have a word for every act that the API writes to the audit log', () => {
    const api = sources(path.join(import.meta.dirname, '../../api/src')).join('\n')
    const acts = new Set(
      [...api.matchAll(/\baction: '(\w+\.\w+)'/g)].map(([, act = '']) => act.replace('.', '_')),
    )
    expect(acts.size).toBeGreaterThan(30)
    expect([...acts].filter((act) => !english.has(`audit.actions.${act}`))).toEqual([])
  })

  test('are well-formed in both languages', () => {
    const faults: string[] = []
    const values = {
      address: 'x',
      email: 'x',
      count: 3,
      minutes: 3,
      rest: 3,
      version: 3,
      message: 'x',
      place: 2,
      done: 1,
      total: 2,
      who: 'x',
      base: 3,
      word: 'x',
      path: 'x',
      days: 3,
      name: 'x',
      amount: 'x',
      min: 'x',
      max: 'x',
      page: 'x',
      from: 'x',
      to: 'x',
      at: 'x',
      change: 'x',
      gross: 'x',
      refunds: 'x',
      net: 'x',
      zone: 'x',
      attempts: 1,
      seconds: 1,
      date: 'x',
      bill: 'x',
      ledger: 'x',
      kind: 'x',
      used: 1,
      alone: 31,
      time: 'x',
      userId: 'x',
      feature: 'x',
      status: 'x',
      planName: 'x',
      serialNumber: 'x',
      outRefundNo: 'x',
      refunded: 'x',
      code: 'x',
      most: 2,
      ending: 'x',
      left: 1,
      threshold: 'x',
      by: 'x',
      id: 'x',
      value: 'x',
      outcome: 'x',
      channel: 'x',
      times: 2,
      deliveries: 2,
      order: (chunks: string) => chunks,
    }
    for (const [locale, messages] of [
      ['zh-CN', zhCN],
      ['en', en],
    ] as const) {
      const t = createTranslator({
        locale,
        messages,
        onError: (error) => faults.push(error.message),
      })
      for (const [key] of chinese)
        Reflect.apply(t, undefined, [
          key,
          { ...values, role: 'x', allowed: 'x', reason: 'x', outTradeNo: 'x' },
        ])
    }
    expect(faults).toEqual([])
  })
})
