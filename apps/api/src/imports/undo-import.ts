import { UndoObstacle } from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, query, reading, statement } from '@meridian/db'
import { type Actor, appendAuditSql } from '../audit/write-audit.ts'
import { undoImportedBindings } from '../devices/import-bindings.ts'
import { undoImportedOrders } from '../orders/import-orders.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newUlid } from '../platform/ids/new-id.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { takenBackDaysOf, writeDatedGrantParts } from '../subscriptions/import-days.ts'
import { enqueueImport, holdImport, type ImportView, moveImport } from './keep-import.ts'

const { sql } = Prisma
const atOnce = 500
const obstaclesShown = 100

export type Undone = { obstacles: UndoObstacle[]; lines: number }

/** Some people of the import after these, in the order of ids. */
const findPeople = (client: PoolClient, id: string, after: string) =>
  execute(
    client,
    query(
      'find-imported-people',
      sql`SELECT DISTINCT user_id::text AS "userId" FROM import_lines
        WHERE import_id = ${id}::uuid AND user_id > ${after}::uuid ORDER BY 1 LIMIT ${atOnce}::int`,
      { userId: column.text },
    ),
  )

const nobody = '00000000-0000-0000-0000-000000000000'

/** All people of the import, some at a time: no statement takes longer for a longer file. */
async function* readPeople(client: PoolClient, id: string): AsyncGenerator<string[]> {
  for (let after = nobody; ; ) {
    const people = (await findPeople(client, id, after)).map(({ userId }) => userId)
    const last = people.at(-1)
    if (last === undefined) return
    yield people
    after = last
  }
}

/** The ledger entry `g` is part of an import that was taken back: what it gave and what took it away are nothing together. */
const isTakenBackSql = sql`(g.kind = 'imported' AND (g.days < 0 OR NOT EXISTS (
    SELECT 1 FROM import_lines given WHERE given.user_id = g.user_id AND given.seq = g.seq))
  OR g.kind = 'purchase' AND EXISTS (SELECT 1 FROM orders o WHERE o.id = g.order_id AND o.import_undone_at IS NOT NULL))`

/** Lines of these people that are in the way: what was written on top of them would lose its ground. */
const findObstacles = (client: PoolClient, id: string, people: readonly string[]): Promise<UndoObstacle[]> =>
  execute(
    client,
    query(
      'find-undo-obstacles',
      sql`
      SELECT l.line, CASE WHEN g.later THEN 'later_ledger_entry' WHEN r.refunded THEN 'refunded' ELSE 'binding_changed' END AS why
      FROM import_lines l
        CROSS JOIN LATERAL (SELECT l.seq IS NOT NULL AND EXISTS (
          SELECT 1 FROM grants g WHERE g.user_id = l.user_id AND g.seq > l.seq AND NOT ${isTakenBackSql} AND NOT EXISTS (
            SELECT 1 FROM import_lines own WHERE own.import_id = l.import_id AND own.user_id = g.user_id AND own.seq = g.seq)) AS later) g
        CROSS JOIN LATERAL (SELECT EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = l.order_id)
          OR EXISTS (SELECT 1 FROM second_payments p WHERE p.order_id = l.order_id) AS refunded) r
        CROSS JOIN LATERAL (SELECT l.binding_id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM bindings b WHERE b.id = l.binding_id AND b.unbound_at IS NULL AND NOT b.proven AND b.nickname IS NULL) AS changed) b
      WHERE l.import_id = ${id}::uuid AND l.user_id = ANY(${[...people]}::uuid[]) AND (g.later OR r.refunded OR b.changed)
      ORDER BY l.line LIMIT ${obstaclesShown}::int`,
      {
        line: column.integer,
        why: {
          ...column.text,
          accepts: (why: unknown): why is UndoObstacle['why'] =>
            UndoObstacle.shape.why.safeParse(why).success,
        },
      },
    ),
  )

/** Nobody of these gets days, or loses them, while obstacles are looked for and what was given is taken back. */
const holdLedgers = (client: PoolClient, people: readonly string[]) =>
  execute(
    client,
    query(
      'hold-imported-ledgers',
      sql`SELECT 1 FROM subscriptions WHERE user_id = ANY(${[...people]}::uuid[]) ORDER BY user_id FOR NO KEY UPDATE`,
    ),
  )

/** Holds the ledgers of everybody, and looks for what is in the way. */
async function holdPeople(client: PoolClient, id: string): Promise<UndoObstacle[]> {
  const obstacles: UndoObstacle[] = []
  for await (const people of readPeople(client, id)) {
    await holdLedgers(client, people)
    obstacles.push(...(await findObstacles(client, id, people)))
    if (obstacles.length >= obstaclesShown) break
  }
  return obstacles.toSorted((one, other) => one.line - other.line).slice(0, obstaclesShown)
}

/** Takes back the last entry of each of these people, and forgets on its line that it made one; how many. */
async function takeLastBack(client: PoolClient, id: string, people: readonly string[]): Promise<number> {
  const chosen = await execute(
    client,
    query(
      'choose-imported-days',
      sql`SELECT DISTINCT ON (user_id) user_id::text AS "userId", seq FROM import_lines
        WHERE import_id = ${id}::uuid AND user_id = ANY(${[...people]}::uuid[]) AND seq IS NOT NULL ORDER BY user_id, seq DESC`,
      { userId: column.text, seq: column.integer },
    ),
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

/** Forgets some lines after this one and takes back what they made beside days. Answers how many, and the last of them. */
async function forgetLines(client: PoolClient, id: string, after: number) {
  const gone = await execute(
    client,
    query(
      'forget-import-lines',
      sql`DELETE FROM import_lines WHERE import_id = ${id}::uuid AND line IN (
          SELECT line FROM import_lines WHERE import_id = ${id}::uuid AND line > ${after}::int ORDER BY line LIMIT ${atOnce}::int)
        RETURNING line, coalesce(order_id::text, '') AS "orderId", coalesce(binding_id::text, '') AS "bindingId"`,
      { line: column.integer, orderId: column.text, bindingId: column.text },
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
  return { count: gone.length, last: gone.reduce((last, { line }) => Math.max(last, line), after) }
}

async function undoHeld(client: PoolClient, { id }: ImportView): Promise<Undone> {
  const obstacles = await holdPeople(client, id)
  if (obstacles.length > 0) {
    await moveImport(client, id, sql`obstacles = ${JSON.stringify(obstacles)}::jsonb, undo_asked_at = NULL`)
    return { obstacles, lines: 0 }
  }
  for await (const people of readPeople(client, id)) while ((await takeLastBack(client, id, people)) > 0);
  let lines = 0
  for (let some = await forgetLines(client, id, 0); some.count > 0; ) {
    lines += some.count
    some = await forgetLines(client, id, some.last)
  }
  await execute(
    client,
    query('forget-import-rows', sql`DELETE FROM import_rows WHERE import_id = ${id}::uuid`),
  )
  await moveImport(
    client,
    id,
    sql`state = 'undone', undone_at = business_now(), undo_asked_at = NULL, obstacles = '[]'`,
  )
  return { obstacles, lines }
}

const isUndoable = ({ state }: ImportView) => state === 'done' || state === 'writing'

/**
 * Takes an import back, all of it or nothing: days by entries that say as many less, orders by giving their numbers back,
 * bindings by their end. People stay. Where somebody has moved on since it changes nothing and says whose lines those are.
 * One that was cut off half-way may be taken back as well.
 * @throws DomainError not_found; Error where there is nothing to be taken back
 */
export const undoImport = (pool: Pool, id: string): Promise<Undone> =>
  inTransaction(pool, async (client) => {
    const held = await holdImport(client, id)
    if (!isUndoable(held)) throw new Error(`import ${id} is ${held.state}: nothing of it can be taken back`)
    return undoHeld(client, held)
  })

/**
 * Has a worker take an import back.
 * @throws DomainError not_found, changed_meanwhile
 */
export const askUndo = (pool: Pool, { id }: { id: string }, { operatorId, from }: Actor): Promise<void> =>
  inTransaction(pool, async (client) => {
    const held = await holdImport(client, id)
    if (!isUndoable(held)) throw new DomainError('changed_meanwhile')
    await moveImport(client, id, sql`undo_asked_at = business_now(), obstacles = '[]'`)
    await enqueueImport(client, 'undo_import', id)
    const { kind, lines } = held
    const entry = {
      operatorId,
      action: 'import.undo',
      subject: { type: 'import', id },
      before: { kind, lines },
    }
    await execute(client, query('audit-import', appendAuditSql(sql`(SELECT 1) done`, entry, from)))
  })

/** What a worker was asked for; done before, or begun anew meanwhile, nothing is left to do. */
export const undoAsked = (pool: Pool, id: string): Promise<void> =>
  inTransaction(pool, async (client) => {
    const held = await holdImport(client, id)
    if (isUndoable(held)) await undoHeld(client, held)
  })
