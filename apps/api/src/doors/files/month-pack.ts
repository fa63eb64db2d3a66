import { finished } from 'node:stream'
import { daysOfMonth, type FinanceMonth, MonthReference } from '@meridian/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  findClosingLine,
  type PackedMonth,
  packDays,
  packDifferences,
  packFees,
  packOrders,
  packRefunds,
} from '../../finance/pack-rows.ts'
import { showDeferred } from '../../finance/show-deferred.ts'
import { showMonth } from '../../finance/show-month.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { boundedStream } from '../../platform/streams/bounded-stream.ts'
import type { Services } from '../../services.ts'
import type { Language } from '../problem.ts'
import { deferredColumns } from './export-desk-columns.ts'
import { type ExportRecord, openFileRecord } from './export-record.ts'
import { type FileTaker, readSent, readTaker } from './file-taker.ts'
import {
  dayColumns,
  differenceColumns,
  feeColumns,
  orderColumns,
  refundColumns,
  sheetNames,
  summaryHeads,
  summaryLines,
} from './month-pack-columns.ts'
import type { Cell, ExportColumn, SoldName } from './sheet.ts'
import { soldNamesIn } from './sold-names.ts'
import { type NamedSheet, writeWorkbook } from './write-xlsx.ts'

/** The most rows of one sheet: a spreadsheet takes 1,048,576. */
export const PACK_LIMIT_ROWS = 500_000

type Pack = { language: Language; soldName: SoldName; record: ExportRecord; cut: () => void }
type Sheetful<Row> = {
  name: keyof typeof sheetNames
  columns: ExportColumn<Row>[]
  rows: AsyncIterable<Row> | Row[]
}

const cutWords = {
  zh: `只有前 ${PACK_LIMIT_ROWS} 行`,
  en: `The first ${PACK_LIMIT_ROWS} rows only`,
} as const

async function* linesOf<Row>({ columns, rows }: Sheetful<Row>, { language, soldName, record, cut }: Pack) {
  const read = boundedStream(rows, { rows: PACK_LIMIT_ROWS })
  let next = await read.next()
  for (; !next.done; next = await read.next()) {
    record.count()
    const row = next.value
    yield columns.map(({ cell }): Cell => cell(row, language, soldName))
  }
  if (!next.value) return
  cut()
  yield [{ as: 'words' as const, text: cutWords[language] }]
}

const sheetOf = <Row>(sheetful: Sheetful<Row>, pack: Pack): NamedSheet => ({
  name: sheetNames[sheetful.name][pack.language],
  heads: sheetful.columns.map((column) => column[pack.language]),
  lines: linesOf(sheetful, pack),
})

async function* summarySheet(shown: FinanceMonth, taker: FileTaker): AsyncGenerator<Cell[]> {
  yield* summaryLines(shown, taker)
}

/** The last sheet ends the record: the sheets are written one after the other. */
async function* ending(sheet: NamedSheet, end: () => Promise<void>): AsyncGenerator<Cell[]> {
  yield* sheet.lines
  await end()
}

type Giving = { services: Services; packed: PackedMonth; shown: FinanceMonth; taker: FileTaker }

async function sheetsOf({ services, packed, shown, taker }: Giving, record: ExportRecord) {
  const { pool } = services.database
  const { language } = taker
  let whole = true
  const pack: Pack = {
    language,
    soldName: await soldNamesIn(pool, language),
    record,
    cut: () => {
      whole = false
    },
  }
  const { days } = await showDeferred(pool, { month: packed.month })
  const closings = sheetOf(
    { name: 'closings', columns: dayColumns, rows: await packDays(pool, packed) },
    pack,
  )
  return [
    {
      name: sheetNames.summary[language],
      heads: summaryHeads(shown, language),
      lines: summarySheet(shown, taker),
    },
    sheetOf({ name: 'orders', columns: orderColumns, rows: packOrders(pool, packed) }, pack),
    sheetOf({ name: 'refunds', columns: refundColumns, rows: packRefunds(pool, packed) }, pack),
    sheetOf({ name: 'fees', columns: feeColumns, rows: packFees(pool, packed) }, pack),
    sheetOf({ name: 'deferred', columns: deferredColumns, rows: days }, pack),
    sheetOf({ name: 'differences', columns: differenceColumns, rows: packDifferences(pool, packed) }, pack),
    { ...closings, lines: ending(closings, () => record.finish({ whole })) },
  ]
}

/** The month for the accountant: one workbook, written while it is read; that it was taken is on record. */
export async function giveMonthPack(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const taker = await readTaker(services, request, 'export.orders')
  const asked = MonthReference.safeParse(readSent(request)).data
  if (!asked) throw new DomainError('invalid_request')
  const { pool } = services.database
  const lineId = await findClosingLine(pool, asked.month)
  const packed = { ...asked, days: daysOfMonth(asked.month), lineId }
  const shown = await showMonth(pool, asked, services.runtime.now())
  const record = await openFileRecord(services, { ...taker, name: 'month-pack', filter: { ...asked } })
  // A client that is gone reads no line, so the lines alone would never close the record.
  finished(reply.raw, () =>
    record.finish({ whole: false }).catch((error: unknown) => request.log.error(error)),
  )
  const sheets = await sheetsOf({ services, packed, shown, taker }, record)
  return reply
    .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', `attachment; filename="finance-${asked.month}.xlsx"`)
    .send(writeWorkbook(sheets, taker.at))
}
