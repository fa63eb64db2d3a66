import {
  column,
  execute,
  nullable,
  type PoolClient,
  Prisma,
  part,
  query,
  type RowOf,
  reading,
  statement,
} from '@meridian/db'
import type { ImportView } from './keep-import.ts'
import { isKnownRowSql } from './known-rows.ts'

const { sql } = Prisma

const rowColumns = {
  line: column.integer,
  source: column.text,
  sourceId: column.text,
  sourceMac: nullable(column.text),
  openid: column.text,
  at: column.text,
  nickname: nullable(column.text),
  planCode: nullable(column.text),
  days: nullable(column.integer),
  features: nullable(column.texts),
  amountFen: nullable(column.integer),
  transactionId: nullable(column.text),
  outTradeNo: nullable(column.text),
  serialNumber: nullable(column.text),
  known: column.boolean,
}
/** A row that is to be written; `known` where it was taken over before. */
export type KeptRow = RowOf<typeof rowColumns>

/**
 * The lines that come next, none of two of one person, with those people locked who are here: their lines are written in
 * the order of time, each on top of what the one before it left. An erasure locks its person first as well: it is over, or
 * waits until these lines are written.
 */
const chooseLines = (client: PoolClient, id: string, most: number) =>
  execute(
    client,
    statement({
      name: 'choose-import-rows',
      parts: [
        part(
          'chosen',
          [],
          sql`
          SELECT r.line, r.openid FROM import_rows r
          WHERE r.import_id = ${id}::uuid AND NOT EXISTS (
            SELECT 1 FROM import_rows e WHERE e.import_id = r.import_id AND e.openid = r.openid AND (e.at, e.line) < (r.at, r.line))
          ORDER BY r.line LIMIT ${most}::int`,
        ),
        part(
          'locked',
          ['chosen'],
          sql`SELECT u.id FROM users u WHERE u.openid IN (SELECT openid FROM chosen) ORDER BY u.openid FOR NO KEY UPDATE`,
        ),
      ],
      select: reading(
        ['chosen', 'locked'],
        sql`SELECT line, (SELECT count(*)::int FROM locked) AS people FROM chosen`,
      ),
      rows: { line: column.integer, people: column.integer },
    }),
  )

/** These rows, as they are once the people are locked: of who was erased meanwhile none is left, or it is known. */
const readRows = (
  client: PoolClient,
  { id, kind }: Pick<ImportView, 'id' | 'kind'>,
  lines: readonly number[],
) =>
  execute(
    client,
    query(
      'next-import-rows',
      sql`
      SELECT r.line, r.source, r.source_id AS "sourceId", r.source_mac AS "sourceMac", r.openid, to_json(r.at) #>> '{}' AS at, r.nickname,
        r.plan_code AS "planCode", r.days, CASE WHEN r.has_features THEN r.features END AS features, r.amount_fen AS "amountFen",
        r.transaction_id AS "transactionId", r.out_trade_no AS "outTradeNo", r.serial_number AS "serialNumber",
        ${isKnownRowSql(kind, 'r')} AS known
      FROM import_rows r WHERE r.import_id = ${id}::uuid AND r.line = ANY(${[...lines]}::int[]) ORDER BY r.line`,
      rowColumns,
    ),
  )

/** The next rows, inside the caller's transaction; empty where none is left. */
export async function readNextRows(
  client: PoolClient,
  held: Pick<ImportView, 'id' | 'kind'>,
  most: number,
): Promise<KeptRow[]> {
  for (;;) {
    const lines = (await chooseLines(client, held.id, most)).map(({ line }) => line)
    if (lines.length === 0) return []
    const rows = await readRows(client, held, lines)
    if (rows.length > 0) return rows
  }
}
