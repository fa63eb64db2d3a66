import { column, execute, nullable, type PoolClient, Prisma, query, reading, statement } from '@meridian/db'
import { importBindings } from '../devices/import-bindings.ts'
import { type ImportedOrder, type ImportMerchant, importOrdersParts } from '../orders/import-orders.ts'
import { newId } from '../platform/ids/new-id.ts'
import { importedDaysOf, importedPurchaseOf, writeDatedGrantParts } from '../subscriptions/import-days.ts'
import { meetImportedUsers } from '../users/meet-imported.ts'
import type { ImportView } from './keep-import.ts'
import type { KeptRow } from './next-rows.ts'

const { sql } = Prisma

/** What a row made. */
type Made = { seq?: number; orderId?: string; bindingId?: string }
type OwnedRow = KeptRow & { userId: string; madeUser: boolean }
/** By line; one that is missing was left out, because something that it names was taken since the file was checked. */
type MadeBy = ReadonlyMap<number, Made>

async function writeDays(client: PoolClient, rows: readonly OwnedRow[]): Promise<MadeBy> {
  const told = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) t ("userId" uuid, "planCode" text, days int,
    features text[], at timestamptz)`
  const source = reading(
    [],
    sql`(
    SELECT t."userId" AS user_id, NULL::bigint AS order_id, p.code AS plan_code, p.name AS plan_name, t.days, t.features,
      t.at AS effective_at, NULL::text AS platform_host
    FROM ${told} LEFT JOIN plans p ON p.code = t."planCode" WHERE t.days > 0)`,
  )
  const granted = await execute(
    client,
    statement({
      name: 'import-days',
      parts: writeDatedGrantParts(importedDaysOf(source)),
      select: reading(['granted'], sql`SELECT user_id::text AS "userId", seq FROM granted`),
      rows: { userId: column.text, seq: column.integer },
    }),
  )
  const seqs = new Map(granted.map(({ userId, seq }) => [userId, seq]))
  return new Map(
    rows.map(({ line, userId }) => {
      const seq = seqs.get(userId)
      return [line, seq === undefined ? {} : { seq }]
    }),
  )
}

const orderOf = (row: OwnedRow): ImportedOrder => ({
  userId: row.userId,
  openid: row.openid,
  outTradeNo: row.outTradeNo ?? '',
  planCode: row.planCode ?? '',
  amountFen: row.amountFen ?? 0,
  transactionId: row.transactionId,
  paidAt: row.at,
  days: row.days,
})

export const importOrdersStatement = (
  orders: readonly ImportedOrder[],
  merchant: ImportMerchant | undefined,
) => {
  const without = orders.filter(({ days }) => days === 0).map(({ outTradeNo }) => outTradeNo)
  const source = reading(
    ['imported'],
    sql`(
    SELECT user_id, id AS order_id, plan_code, plan_name, duration_days AS days, features, paid_at AS effective_at, platform_host
    FROM imported WHERE out_trade_no <> ALL(${without}::text[]))`,
  )
  return statement({
    name: 'import-orders',
    parts: [...importOrdersParts(orders, merchant), ...writeDatedGrantParts(importedPurchaseOf(source))],
    select: reading(
      ['imported', 'granted'],
      sql`SELECT o.out_trade_no AS "outTradeNo", o.id::text AS "orderId", g.seq
        FROM imported o LEFT JOIN granted g ON g.user_id = o.user_id`,
    ),
    rows: { outTradeNo: column.text, orderId: column.text, seq: nullable(column.integer) },
  })
}

async function writeOrders(
  client: PoolClient,
  rows: readonly OwnedRow[],
  merchant: ImportMerchant | undefined,
): Promise<MadeBy> {
  const written = await execute(client, importOrdersStatement(rows.map(orderOf), merchant))
  const made = new Map(written.map(({ outTradeNo, orderId, seq }) => [outTradeNo, { orderId, seq }]))
  return new Map(
    rows.flatMap(({ line, outTradeNo }) => {
      const order = made.get(outTradeNo ?? '')
      return order === undefined
        ? []
        : [[line, { orderId: order.orderId, ...(order.seq !== null && { seq: order.seq }) }]]
    }),
  )
}

async function writeBindings(client: PoolClient, rows: readonly OwnedRow[]): Promise<MadeBy> {
  const bound = rows.map(({ userId, serialNumber, at }) => ({
    userId,
    serialNumber: serialNumber ?? '',
    boundAt: at,
  }))
  const ids = await importBindings(client, bound)
  return new Map(
    rows.flatMap(({ line, serialNumber }) => {
      const bindingId = ids.get(serialNumber ?? '')
      return bindingId === undefined ? [] : [[line, bindingId === null ? {} : { bindingId }]]
    }),
  )
}

/** The lines as taken over, with what each made, and what the import came to. */
async function recordLines(
  client: PoolClient,
  { id, kind }: Pick<ImportView, 'id' | 'kind'>,
  { rows, made }: { rows: readonly OwnedRow[]; made: MadeBy },
): Promise<void> {
  const lines = rows.flatMap((row) => (made.has(row.line) ? [{ ...row, ...made.get(row.line) }] : []))
  await execute(
    client,
    query(
      'record-import-lines',
      sql`
      WITH recorded AS (
        INSERT INTO import_lines (kind, source, source_id, source_mac, import_id, line, user_id, made_user, seq, order_id, binding_id)
        SELECT ${kind}::import_kind, t.source, t."sourceId", t."sourceMac", ${id}::uuid, t.line, t."userId", t."madeUser", t.seq, t."orderId", t."bindingId"
        FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) t (source text, "sourceId" text, "sourceMac" text, line int, "userId" uuid,
          "madeUser" boolean, seq int, "orderId" bigint, "bindingId" bigint)
        RETURNING user_id, seq, order_id)
      UPDATE imports SET
        users = users + (SELECT count(*) FROM recorded r WHERE NOT EXISTS (
          SELECT 1 FROM import_lines l WHERE l.import_id = ${id}::uuid AND l.user_id = r.user_id)),
        days = days + coalesce((SELECT sum(g.days) FROM recorded r JOIN grants g USING (user_id, seq)), 0),
        fen = fen + coalesce((SELECT sum(o.amount_fen) FROM recorded r JOIN orders o ON o.id = r.order_id), 0)
      WHERE id = ${id}::uuid`,
    ),
  )
}

type Writing = { rows: readonly KeptRow[]; merchant: ImportMerchant | undefined }

/**
 * Writes some rows, of as many people, inside the caller's transaction; what was taken over before stays as it is. Answers
 * how many are taken over by now: a line is left out where its device or its number was taken meanwhile.
 */
export async function writeRows(
  client: PoolClient,
  held: Pick<ImportView, 'id' | 'kind'>,
  { rows, merchant }: Writing,
): Promise<number> {
  let leftOut = 0
  const fresh = rows.filter(({ known }) => !known)
  if (fresh.length > 0) {
    const told = fresh.map(({ openid, nickname }) => ({ id: newId(), openid, nickname }))
    const users = await meetImportedUsers(client, told)
    const owned = fresh.map((row): OwnedRow => {
      const user = users.get(row.openid)
      if (!user) throw new Error('an imported person was not met')
      return { ...row, userId: user.id, madeUser: user.isNew }
    })
    const write = {
      subscribers: () => writeDays(client, owned),
      orders: () => writeOrders(client, owned, merchant),
      bindings: () => writeBindings(client, owned),
    }
    const made = await write[held.kind]()
    await recordLines(client, held, { rows: owned, made })
    leftOut = owned.length - made.size
  }
  await execute(
    client,
    query(
      'end-import-rows',
      sql`DELETE FROM import_rows WHERE import_id = ${held.id}::uuid AND line = ANY(${rows.map(({ line }) => line)}::int[])`,
    ),
  )
  return rows.length - leftOut
}
