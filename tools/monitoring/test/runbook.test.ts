import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { alertSeverities } from '@meridian/contracts'
import { expect, test } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { exportedLabels } from '../exported-metrics.ts'
import { alertRules, runbookFolder } from '../read-rules.ts'

/** Sent by a process that cannot reach the database, which therefore keeps no alert of it. */
const unkept = ['database_unreachable']
const kinds = [...Object.keys(alertSeverities), ...unkept]

/** Rules about any kind lead to the page of the kind. */
const ofAnyKind = '{{ $labels.kind }}'
const pageOf = (address: string) => address.replace(/^\{\{ \$externalLabels\.runbook \}\}\//, '')
const ruled = alertRules.map(({ annotations }) => pageOf(annotations.runbook_url))

const wanted = [...new Set([...kinds, ...alertRules.map(({ alert }) => alert)])].sort()
const files = readdirSync(runbookFolder)
const pages = files.filter((file) => /^[a-z_]+\.md$/.test(file)).map((file) => file.replace('.md', ''))

test('every alert, of the product and of Prometheus, has a page in both languages, and every page an alert', () => {
  expect(pages.sort()).toEqual(wanted)
  expect(files.sort()).toEqual(
    [...wanted, 'README'].flatMap((page) => [`${page}.md`, `${page}.zh-CN.md`]).sort(),
  )
})

test('every rule leads to the page of its name, or to that of the kind it found', () => {
  const led = alertRules.map(({ alert }, index) => ({ alert, page: ruled[index] }))
  expect(led.filter(({ alert, page }) => page !== `${alert}.md` && page !== `${ofAnyKind}.md`)).toEqual([])
  expect(led.filter(({ page }) => page === `${ofAnyKind}.md`).map(({ alert }) => alert)).toEqual([
    'critical_alerts_open',
    'alerts_unattended',
  ])
})

test('a rule that says which kind of the product it is about names one, of its severity', () => {
  const named = alertRules.flatMap(({ alert, labels: { kind } }) =>
    kind === undefined ? [] : [{ alert, kind }],
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ alert, kind }) => kind !== alert || !(kind in alertSeverities))).toEqual([])
})

test.each(['README.md', 'README.zh-CN.md'])('%s leads to every page of its language', (index) => {
  const text = readFileSync(join(runbookFolder, index), 'utf8')
  const ending = index.replace('README', '')
  const linked = [...text.matchAll(/\]\(([a-z_]+)((?:\.zh-CN)?\.md)\)/g)]
  expect(linked.filter(([, , found]) => found !== ending)).toEqual([])
  expect([...new Set(linked.map(([, page]) => page))].sort()).toEqual(wanted)
})

const headings = [
  ['.md', ['What it means', 'Who is hurt', 'Look here', 'Do this']],
  ['.zh-CN.md', ['含义', '影响谁', '查看哪里', '如何处理']],
] as const

test.each(headings)('every page (%s) has the same four parts, and 15 to 45 lines', (ending, parts) => {
  for (const page of pages) {
    const lines = readFileSync(join(runbookFolder, `${page}${ending}`), 'utf8')
      .trimEnd()
      .split('\n')
    expect(lines[0], page).toBe(`# ${page}`)
    expect(
      lines.filter((line) => line.startsWith('## ')).map((line) => line.slice(3)),
      page,
    ).toEqual(parts)
    expect(lines.length, page).toBeGreaterThanOrEqual(15)
    expect(lines.length, page).toBeLessThanOrEqual(45)
  }
})

const severityOf = (page: string): string => {
  const rules = alertRules.filter(({ alert }) => alert === page).map(({ labels }) => labels.severity)
  const known: Readonly<Record<string, string>> = alertSeverities
  return known[page] ?? (rules.includes('critical') ? 'critical' : (rules[0] ?? ''))
}
const sourceOf = (page: string): string => {
  const isKind = kinds.includes(page)
  const isRule = alertRules.some(({ alert }) => alert === page)
  return isKind && isRule ? 'the product and by Prometheus' : isKind ? 'the product' : 'Prometheus'
}

test('every page says who raises the alert, and how urgent it is', () => {
  const wrong = pages.filter((page) => {
    const [, , , , said] = readFileSync(join(runbookFolder, `${page}.md`), 'utf8').split('\n')
    return said !== `Raised by ${sourceOf(page)}, \`${severityOf(page)}\`. [All pages](README.md)`
  })
  expect(wrong).toEqual([])
})

const written = [...files.map((file) => join(runbookFolder, file)), join(runbookFolder, '../monitoring.md')]
/** Each word of this form in the pages, with the pages that have it. */
const wordsOf = (form: RegExp): string[] =>
  [...new Set(written.flatMap((file) => readFileSync(file, 'utf8').match(form) ?? []))].sort()

/** What stands in the pages in capitals and is no setting. */
const noSettings = /^(NO_AUTH|NOT_ENOUGH|SIGN_ERROR|SELECT|FROM|WHERE|ORDER|AND|BY|ANALYZE)$/

test('every setting, command and metric that the pages name is one of the programs', async () => {
  const settings = readFileSync(join(runbookFolder, '../../.env.example'), 'utf8')
  const named = wordsOf(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g).filter((word) => !noSettings.test(word))
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((word) => !new RegExp(`^#? ?${word}=`, 'm').test(settings))).toEqual([])
  const commands = wordsOf(/(?<=npm run )[a-z:]+/g)
  expect(commands.filter((command) => !(command in manifest.scripts))).toEqual([])
  const exported = await exportedLabels()
  const metrics = wordsOf(/\bmeridian_[a-z_]+\b/g)
  expect(metrics.length).toBeGreaterThan(10)
  const isExported = (name: string) => exported.has(name) || exported.has(`${name}_count`)
  expect(metrics.filter((name) => !isExported(name) && name !== 'meridian_runtime')).toEqual([])
})
