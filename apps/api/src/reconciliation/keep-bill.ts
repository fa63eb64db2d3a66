import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type BillKind, column, execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import type { AbsentBill, ReadyBill } from '@meridian/payments'

const ROWS_AT_ONCE = 500
const PIECE_BYTES = 256 * 1024
/** What a day without a statement has for a hash. */
const sha1OfNothing = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'

export type Numbered<Row> = { line: number; row: Row }
type BillName = { kind: BillKind; date: string }
type Keeping<Row> = BillName & { keepRows: (billId: bigint, rows: Numbered<Row>[]) => Promise<void> }
const openBillColumns = { id: column.bigint, complete: column.boolean }
type OpenBill = RowOf<typeof openBillColumns>

/** The row of a bill; the same bytes fetched again are the same bill. */
async function openBill(pool: Pool, { kind, date }: BillName, sha1: string): Promise<OpenBill> {
  const [bill] = await execute(
    pool,
    query(
      'open-bill',
      Prisma.sql`
      INSERT INTO bills (kind, bill_date, sha1) VALUES (${kind}::bill_kind, ${date}::date, ${sha1})
      ON CONFLICT (bill_date, kind, sha1) DO UPDATE SET fetched_at = business_now()
      RETURNING id, row_count IS NOT NULL AS complete`,
      openBillColumns,
    ),
  )
  if (!bill) throw new Error('a bill was neither kept nor known')
  return bill
}

async function keepBytes(pool: Pool, billId: bigint, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await execute(
    pool,
    query('drop-bill-pieces', Prisma.sql`DELETE FROM bill_pieces WHERE bill_id = ${billId}`),
  )
  let seq = 0
  const keep = async (pieces: Uint8Array[]) => {
    seq += 1
    const bytes = Buffer.concat(pieces)
    const statement = Prisma.sql`
      INSERT INTO bill_pieces (bill_id, seq, bytes) VALUES (${billId}, ${seq}, ${bytes}) ON CONFLICT DO NOTHING`
    await execute(pool, query('keep-bill-piece', statement))
  }
  await pipeline(bytes, createGzip(), async (compressed: AsyncIterable<Uint8Array>) => {
    for await (const pieces of inGroups(compressed, (piece) => piece.length / PIECE_BYTES)) await keep(pieces)
  })
}

/** Groups of items whose sizes add up to one or a little more. */
async function* inGroups<Item>(items: AsyncIterable<Item>, sizeOf: (item: Item) => number) {
  let group: Item[] = []
  let size = 0
  for await (const item of items) {
    group.push(item)
    size += sizeOf(item)
    if (size < 1) continue
    yield group
    group = []
    size = 0
  }
  if (group.length > 0) yield group
}

/** The whole bill is here; rows of an earlier issue of it no longer count, its bytes stay. */
async function completeBill(pool: Pool, billId: bigint, rowCount: number): Promise<void> {
  const superseded = Prisma.sql`(
    SELECT old.id FROM bills old JOIN bills new USING (bill_date, kind) WHERE new.id = ${billId} AND old.id <> ${billId})`
  await execute(
    pool,
    query(
      'complete-bill',
      Prisma.sql`
      WITH without_rows AS (DELETE FROM bill_rows WHERE bill_id IN ${superseded}),
        without_flows AS (DELETE FROM bill_flows WHERE bill_id IN ${superseded})
      UPDATE bills SET row_count = ${rowCount} WHERE id = ${billId}`,
    ),
  )
}

/**
 * Keeps a bill's bytes with their hash and gives out its rows a few hundred at a time, whatever its length.
 * Answers the bill's id, or null while the platform is still writing it.
 * @throws PaymentsError malformed_answer where a row or the summary does not hold
 */
export async function keepBill<Row>(
  pool: Pool,
  bill: ReadyBill<Row> | AbsentBill,
  { keepRows, ...name }: Keeping<Row>,
): Promise<bigint | null> {
  if (bill.state !== 'ready') {
    if (bill.state === 'creating') return null
    const { id } = await openBill(pool, name, sha1OfNothing)
    await completeBill(pool, id, 0)
    return id
  }
  try {
    const { id, complete } = await openBill(pool, name, bill.sha1)
    if (!complete) await keepBytes(pool, id, bill.bytes())
    let line = 0
    for await (const rows of inGroups(bill.rows(), () => 1 / ROWS_AT_ONCE)) {
      await keepRows(
        id,
        rows.map((row) => ({ line: ++line, row })),
      )
    }
    await completeBill(pool, id, line)
    return id
  } finally {
    await bill.discard()
  }
}
