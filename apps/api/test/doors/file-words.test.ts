import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isExport } from '@meridian/contracts'
import { refusedIn } from '@meridian/contracts/testing'
import { describe, expect, test } from 'vitest'
import { exports } from '../../src/doors/files/export-lists.ts'
import * as pack from '../../src/doors/files/month-pack-columns.ts'
import { neededBy } from '../world/take-file.ts'

const glossary = readFileSync(path.join(import.meta.dirname, '../../../../docs/glossary-console.md'), 'utf8')
const names = Object.keys(exports).filter(isExport)
const packSheets = {
  orders: pack.orderColumns,
  refunds: pack.refundColumns,
  fees: pack.feeColumns,
  differences: pack.differenceColumns,
  closings: pack.dayColumns,
  summary: pack.figures,
  tabs: Object.values(pack.sheetNames),
}

/** A head as a label: the time zone behind it is none of its words. */
const label = (head: string) => head.replace(/（北京时间）$| \(Beijing time\)$/, '')

describe.each([
  ['zh', 'zh-CN'],
  ['en', 'en'],
] as const)('the files of the console in %s', (language, inGlossary) => {
  const refused = (key: string, texts: readonly string[]) =>
    refusedIn(
      glossary,
      inGlossary,
      texts.map((text) => ({ key, text: label(text) })),
    )

  test('have no head that the glossary refuses', () => {
    expect(names.length).toBeGreaterThan(15)
    expect(names.flatMap((name) => refused(name, exports[name].heads(language)))).toEqual([])
  })

  test('name no condition of a filter in a word that it refuses', () => {
    expect(
      names.flatMap((name) =>
        refused(name, exports[name].conditions(neededBy(name, randomUUID()), language)),
      ),
    ).toEqual([])
  })

  test('and the month for the accountant say none of its refused words', () => {
    const said = Object.entries(packSheets).flatMap(([sheet, columns]) =>
      refused(
        sheet,
        columns.map((column) => column[language]),
      ),
    )
    expect(said).toEqual([])
  })
})
