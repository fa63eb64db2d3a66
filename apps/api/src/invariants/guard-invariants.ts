import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { parkOrder } from '../orders/park-order.ts'
import {
  findSettledLine,
  moveWatermark,
  readWatermark,
  type Watermark,
} from '../platform/database/watermark.ts'
import { findSubscribers, verifyLedgersOf } from '../subscriptions/verify-ledger.ts'
import {
  checkFew,
  checkIncome,
  checkOrders,
  checkUsers,
  ledgerViolation,
  type Scope,
  type Violation,
} from './check-invariants.ts'

const { sql } = Prisma

/** So much of the past is looked at again in each run: every order of ten million, every one of a million ledgers in a day. */
const ordersAtOnce = 50_000n
const usersAtOnce = 5000
/** So many lines of what was written since are looked at together. */
const linesAtOnce = 5000n

/** What one kind of check found, and how far it has come. */
type Looked = { found: Violation[]; reached: Watermark }

type Written = {
  table: 'order_events' | 'grants'
  subject: 'order_id' | 'user_id'
  after: bigint
  until: bigint
}

/** What the lines written since are about, part by part; nothing where the table was never looked at: all of it is past then. */
async function* writtenSince(pool: Pool, { table, subject, after, until }: Written) {
  for (let from = after; from > 0n && from < until; from += linesAtOnce) {
    const to = from + linesAtOnce < until ? from + linesAtOnce : until
    const rows = await execute(
      pool,
      query(
        null,
        sql`SELECT DISTINCT ${Prisma.raw(subject)}::text AS id FROM ${Prisma.raw(table)} WHERE id > ${from} AND id <= ${to}`,
        { id: column.text },
      ),
    )
    yield rows.map(({ id }) => id)
  }
}

async function highestOrder(pool: Pool): Promise<bigint> {
  const [highest] = await execute(
    pool,
    query('highest-order', sql`SELECT coalesce(max(id), 0) AS id FROM orders`, { id: column.bigint }),
  )
  return highest?.id ?? 0n
}

/** The orders that something happened to since the last run, and the next of all. */
async function lookAtOrders(pool: Pool): Promise<Looked> {
  const mark = await readWatermark(pool, 'invariants')
  const until = (await findSettledLine(pool, 'order_events')) ?? mark.lineId
  const found: Violation[] = []
  const written = { table: 'order_events', subject: 'order_id', after: mark.lineId, until } as const
  for await (const ids of writtenSince(pool, written))
    found.push(...(await checkOrders(pool, (id) => sql`${id} = ANY(${ids}::bigint[])`)))
  const end = mark.next + ordersAtOnce
  found.push(...(await checkOrders(pool, (id) => sql`${id} >= ${mark.next} AND ${id} < ${end}`)))
  const next = end > (await highestOrder(pool)) ? 0n : end
  return { found, reached: { ...mark, lineId: until, next } }
}

/** The ledgers that got a line since the last run, and the next of all; their users' devices with them. */
async function lookAtLedgers(pool: Pool): Promise<Looked> {
  const mark = await readWatermark(pool, 'ledgers')
  const until = (await findSettledLine(pool, 'grants')) ?? mark.lineId
  const found: Violation[] = []
  const look = async (userIds: readonly string[]) => {
    const own: Scope = (id) => sql`${id} = ANY(${[...userIds]}::uuid[])`
    const differences = await verifyLedgersOf(pool, userIds)
    found.push(...(await checkUsers(pool, own)), ...differences.map(ledgerViolation))
  }
  const written = { table: 'grants', subject: 'user_id', after: mark.lineId, until } as const
  for await (const userIds of writtenSince(pool, written)) await look(userIds)
  const next = await findSubscribers(pool, mark.after, usersAtOnce)
  await look(next)
  const after = next.length < usersAtOnce ? null : (next.at(-1) ?? null)
  return { found, reached: { ...mark, lineId: until, after } }
}

const nameOf = ({ invariant, subject }: Violation) => `${invariant} ${subject}`

/**
 * Looks at what was written since the last run and at the next part of the past, so that a run costs the same however
 * much there is. Raises an alert for each violation, and parks the order that is to blame: nothing automatic until
 * somebody looks. What was looked at counts once all of that is written.
 */
export async function guardInvariants(pool: Pool): Promise<Violation[]> {
  const [orders, ledgers] = [await lookAtOrders(pool), await lookAtLedgers(pool)]
  const found = [...orders.found, ...(await checkFew(pool)), ...ledgers.found, ...(await checkIncome(pool))]
  const violations = [...new Map(found.map((violation) => [nameOf(violation), violation])).values()]
  for (const violation of violations) {
    const { invariant, outTradeNo } = violation
    const detail = { invariant, ...(outTradeNo && { order: outTradeNo }) }
    await execute(
      pool,
      query('raise-invariant', raiseAlertSql('invariant_violated', nameOf(violation), detail)),
    )
    if (outTradeNo)
      await parkOrder(pool, { outTradeNo, reason: invariant, trace: { channel: 'job', requestId: null } })
  }
  await moveWatermark(pool, 'invariants', orders.reached)
  await moveWatermark(pool, 'ledgers', ledgers.reached)
  return violations
}
