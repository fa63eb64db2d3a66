import { column, execute, type Pool, type PoolClient, Prisma, query, reading, statement } from '@meridian/db'
import { undoImportedBindings } from '../devices/import-bindings.ts'
import { undoImportedOrders } from '../orders/import-orders.ts'
import { newUlid } from '../platform/ids/new-id.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { takenBackDaysOf, writeDatedGrantParts } from '../subscriptions/import-days.ts'
import { holdImport, type ImportView, moveImport } from './keep-import.ts'

const { sql } = Prisma
const atOnce = 500
const obstaclesShown = 100

export type UndoObstacle = {
  line: number
  why: 'later_ledger_entry' | 'refunded' | 'binding_changed'
}
export type Undone = { obstacles: UndoObstacle[]; lines: number }

/** Lines whose people have moved on since: what was written on top of them would lose its ground. */
const findObstacles = (client: PoolClient, id: string): Promise<UndoObstacle[]> =>
  execute(
    client,
    query(
      'find-undo-obstacles',
      sql`
      SELECT l.line, CASE WHEN g.later THEN 'later_ledger_entry' WHEN r.refunded THEN 'refunded' ELSE 'binding_changed' END AS why
      FROM import_lines l
        CROSS JOIN LATERAL (SELECT l.seq IS NOT NULL AND EXISTS (
          SELECT 1 FROM grants g WHERE g.user_id = l.user_id AND g.seq > l.seq AND NOT EXISTS (
            SELECT 1 FROM import_lines own WHERE own.import_id = l.import_id AND own.user_id = g.user_id AND own.seq = g.seq)) AS later) g
        CROSS JOIN LATERAL (SELECT EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = l.order_id)
          OR EXISTS (SELECT 1 FROM second_payments p WHERE p.order_id = l.order_id) AS refunded) r
        CROSS JOIN LATERAL (SELECT l.binding_id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM bindings b WHERE b.id = l.binding_id AND b.unbound_at IS NULL AND NOT b.proven AND b.nickname IS NULL) AS changed) b
      WHERE l.import_id = ${id}::uuid AND (g.later OR r.refunded OR b.changed)
      ORDER BY l.line LIMIT ${obstaclesShown}::int`,
      {
        line: column.integer,
        why: {
          ...column.text,
          accepts: (why: unknown): why is UndoObstacle['why'] =>
            why === 'later_ledger_entry' || why === 'refunded' || why === 'binding_changed',
        },
      },
    ),
  )

/** Nobody gets days, or loses them, while obstacles are looked for and what was given is taken back. */
const holdLedgers = (client: PoolClient, id: string) =>
  execute(
    client,
    query(
      'hold-imported-ledgers',
      sql`SELECT 1 FROM subscriptions WHERE user_id IN (SELECT user_id FROM import_lines WHERE import_id = ${id}::uuid)
        ORDER BY user_id FOR NO KEY UPDATE`,
    ),
  )

/** Takes back the last entry of some people, and forgets on its line that it made one; how many. */
async function takeDaysBack(client: PoolClient, id: string): Promise<number> {
  const last = sql`
    SELECT DISTINCT ON (user_id) user_id, seq FROM import_lines
    WHERE import_id = ${id}::uuid AND seq IS NOT NULL ORDER BY user_id, seq DESC LIMIT ${atOnce}::int`
  const chosen = await execute(
    client,
    query('choose-imported-days', sql`SELECT user_id::text AS "userId", seq FROM (${last}) l`, {
      userId: column.text,
      seq: column.integer,
    }),
  )
  if (chosen.length === 0) return 0
  const told = sql`(SELECT "userId" AS user_id, seq FROM jsonb_to_recordset(${JSON.stringify(chosen)}::jsonb) t ("userId" uuid, seq int))`
  await execute(
    client,
    statement({
      name: 'take-imported-days-back',
      parts: writeDatedGrantParts(takenBackDaysOf(reading([], told))),
      select: reading(['granted'], sql`SELECT count(*)::int AS count FROM granted`),
      rows: { count: column.integer },
    }),
  )
  await execute(
    client,
    query(
      'forget-imported-days',
      sql`UPDATE import_lines l SET seq = NULL FROM ${told} t
        WHERE l.import_id = ${id}::uuid AND l.user_id = t.user_id AND l.seq = t.seq`,
    ),
  )
  return chosen.length
}

/** Forgets some lines and takes back what they made beside days; how many lines. */
async function forgetLines(client: PoolClient, id: string): Promise<number> {
  const gone = await execute(
    client,
    query(
      'forget-import-lines',
      sql`DELETE FROM import_lines WHERE import_id = ${id}::uuid AND line IN (
          SELECT line FROM import_lines WHERE import_id = ${id}::uuid ORDER BY line LIMIT ${atOnce}::int)
        RETURNING coalesce(order_id::text, '') AS "orderId", coalesce(binding_id::text, '') AS "bindingId"`,
      { orderId: column.text, bindingId: column.text },
    ),
  )
  const orders = gone.filter(({ orderId }) => orderId !== '')
  if (orders.length > 0)
    await undoImportedOrders(
      client,
      orders.map(({ orderId }) => ({ id: orderId, number: `M${newUlid()}` })),
    )
  const bindings = gone.map(({ bindingId }) => bindingId).filter(Boolean)
  if (bindings.length > 0) await undoImportedBindings(client, bindings)
  return gone.length
}

async function undoHeld(client: PoolClient, { id }: ImportView): Promise<Undone> {
  await holdLedgers(client, id)
  const obstacles = await findObstacles(client, id)
  if (obstacles.length > 0) return { obstacles, lines: 0 }
  while ((await takeDaysBack(client, id)) > 0);
  let lines = 0
  for (let some = await forgetLines(client, id); some > 0; some = await forgetLines(client, id)) lines += some
  await execute(
    client,
    query('forget-import-rows', sql`DELETE FROM import_rows WHERE import_id = ${id}::uuid`),
  )
  await moveImport(client, id, sql`state = 'undone', undone_at = business_now()`)
  return { obstacles, lines }
}

/**
 * Takes an import back, all of it or nothing: days by entries that say as many less, orders by giving their numbers back,
 * bindings by their end. People stay. Where somebody has moved on since it changes nothing and says whose lines those are.
 * One that was cut off half-way may be taken back as well.
 * @throws DomainError not_found; Error where there is nothing to be taken back
 */
export const undoImport = (pool: Pool, id: string): Promise<Undone> =>
  inTransaction(pool, async (client) => {
    const held = await holdImport(client, id)
    if (held.state !== 'done' && held.state !== 'writing')
      throw new Error(`import ${id} is ${held.state}: nothing of it can be taken back`)
    return undoHeld(client, held)
  })
