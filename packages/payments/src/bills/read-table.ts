import { exactDecimal, readLines } from './bill-text.ts'

/** Gives the position of a column; throws MalformedBill when the bill has none of that name. */
export type ColumnOf = (name: string) => number

export type SummaryRule = {
  /** Column of the summary row. */
  total: string
  /** Column that it sums up. */
  of: string
  /** Only the rows in which this column holds this text. */
  where?: readonly [column: string, text: string]
}

export type BillLayout<Row> = {
  /** Column of the summary row that counts the rows. */
  count: string
  sums: readonly SummaryRule[]
  /** Column that says who paid, where there is one: it is not kept. */
  payer?: string
  /** Called once per bill, so that rows are read by position. */
  rowReader: (column: ColumnOf) => (cells: readonly string[]) => Row
}

/** A bill whose text does not hold together. */
export class MalformedBill extends Error {}

/** Amounts are summed in hundred-thousandths of a yuan, the finest that a bill writes. */
const PLACES = 5
/** The platform rounds the sum of fees to whole fen. */
const ROUNDING = 1_000

/**
 * Reads a bill row by row (protocol §7.4): header, rows whose every field starts with a backtick, summary header,
 * summary. Columns are found by name. Throws MalformedBill at a row that does not fit, and at the end when the
 * summary is absent or differs from what the rows add up to.
 */
export async function* readTable<Row>(
  bytes: AsyncIterable<Uint8Array>,
  layout: BillLayout<Row>,
): AsyncGenerator<Row> {
  const parts = billParts(layout)
  for await (const lines of readLines(bytes)) {
    for (const line of lines) {
      const row = line === '' ? null : parts.take(line)
      if (row !== null) yield row.row
    }
  }
  parts.end()
}

type Parts<Row> = { take: (line: string) => { row: Row } | null; end: () => void }

/** Tells the four parts of a bill apart: header, rows, summary header, summary. */
function billParts<Row>(layout: BillLayout<Row>): Parts<Row> {
  let table: Table<Row> | null = null
  let summaryHeader: string[] | null = null
  let summary: string[] | null = null

  const takeHeader = (line: string): null => {
    if (table === null) table = openTable(line.split(','), layout)
    else if (summaryHeader === null) summaryHeader = line.split(',')
    else throw new MalformedBill('a third header')
    return null
  }
  const take = (line: string): { row: Row } | null => {
    if (line.charCodeAt(0) !== BACKTICK) return takeHeader(line)
    if (table === null || summary !== null) throw new MalformedBill('a row out of place')
    if (summaryHeader === null) return { row: table.read(fieldsOf(line)) }
    summary = fieldsOf(line)
    return null
  }
  const end = (): void => {
    if (!table || !summaryHeader || !summary) throw new MalformedBill('no summary')
    table.check(summaryHeader, summary)
  }
  return { take, end }
}

const BACKTICK = 0x60

/** The fields of a row: the separator is a comma and a backtick (protocol §7.4). */
export const fieldsOf = (line: string): string[] => line.slice(1).split(',`')

type Table<Row> = {
  read: (cells: string[]) => Row
  check: (summaryHeader: readonly string[], summary: readonly string[]) => void
}

const columnIn =
  (header: readonly string[]): ColumnOf =>
  (name) => {
    const at = header.indexOf(name)
    if (at < 0) throw new MalformedBill('a column is missing')
    return at
  }

function openTable<Row>(header: readonly string[], layout: BillLayout<Row>): Table<Row> {
  const read = layout.rowReader(columnIn(header))
  const sums = layout.sums
    .filter(({ of }) => header.includes(of))
    .map((rule) => ({
      rule,
      at: header.indexOf(rule.of),
      where: rule.where ? header.indexOf(rule.where[0]) : -1,
      sum: 0,
    }))
  let rows = 0
  return {
    read: (cells) => {
      if (cells.length !== header.length) throw new MalformedBill('a row of another width')
      rows += 1
      for (const part of sums) {
        if (part.rule.where && cells[part.where] !== part.rule.where[1]) continue
        part.sum += amountOf(cells[part.at])
      }
      return read(cells)
    },
    check: (summaryHeader, summary) => {
      const cell = (name: string) => amountOf(summary[summaryHeader.indexOf(name)])
      if (cell(layout.count) !== rows * 10 ** PLACES) throw new MalformedBill('the summary counts other rows')
      for (const { rule, sum } of sums) {
        if (!summaryHeader.includes(rule.total)) continue
        if (!(Math.abs(cell(rule.total) - sum) < ROUNDING))
          throw new MalformedBill('the summary has another sum')
      }
    },
  }
}

function amountOf(text: string | undefined): number {
  const amount = exactDecimal(text ?? '', PLACES)
  if (amount === null) throw new MalformedBill('not an amount')
  return amount
}
