import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { findSettledLine, lockWatermark } from '../platform/database/watermark.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { addAccount, noSums, storeSums } from './account-sums.ts'
import { type Lines, readAccounts } from './read-accounts.ts'

const { sql } = Prisma

/** Of one transaction: so many lines of each table. Of one run: so many transactions; the next goes on where it was. */
const linesAtOnce = 2000
const partsOfRun = 100

type Touched = { userIds: string[]; until: bigint }

/** Lines of a table behind the watermark with their users: so many at most, and up to where that is all of them. */
async function findTouched(client: PoolClient, lines: Prisma.Sql, settled: bigint): Promise<Touched> {
  // Without a name: with the numbers before it the planner knows how few lines these are.
  const rows = await execute(
    client,
    query(null, sql`${lines} ORDER BY 1 LIMIT ${linesAtOnce}`, { line: column.bigint, userId: column.text }),
  )
  const until = rows.length < linesAtOnce ? settled : (rows.at(-1)?.line ?? settled)
  return { userIds: rows.map(({ userId }) => userId), until }
}

const givenSql = (after: bigint, until: bigint): Prisma.Sql =>
  sql`SELECT id AS line, user_id::text AS "userId" FROM grants WHERE id > ${after} AND id <= ${until}`

const movedSql = (after: bigint, until: bigint): Prisma.Sql => sql`
  SELECT e.id AS line, o.user_id::text AS "userId" FROM order_events e JOIN orders o ON o.id = e.order_id
  WHERE e.id > ${after} AND e.id <= ${until} AND e.kind IN ('pay', 'refund')`

/** How far it came; once nothing is left, also up to which instant that is everything. */
const moveTo = (client: PoolClient, { grants, events }: Lines, reachedAt: Date | null): Promise<unknown> =>
  execute(
    client,
    query(
      'move-accounts',
      sql`
      UPDATE watermarks SET line_id = CASE name WHEN 'account_grants' THEN ${grants}::bigint ELSE ${events}::bigint END,
        reached_at = coalesce(${reachedAt}::timestamptz, reached_at)
      WHERE name IN ('account_grants', 'account_events')`,
    ),
  )

type Settled = Lines & { at: Date }

/** Takes in a bounded number of lines. Answers whether more wait. */
async function addUpSome(client: PoolClient, settled: Settled): Promise<boolean> {
  const before: Lines = {
    grants: (await lockWatermark(client, 'account_grants')).lineId,
    events: (await lockWatermark(client, 'account_events')).lineId,
  }
  const given = await findTouched(client, givenSql(before.grants, settled.grants), settled.grants)
  const moved = await findTouched(client, movedSql(before.events, settled.events), settled.events)
  const after: Lines = { grants: given.until, events: moved.until }
  const sums = noSums()
  for (const account of await readAccounts(client, [...new Set([...given.userIds, ...moved.userIds])])) {
    addAccount(sums, account, { lines: before, sign: -1 })
    addAccount(sums, account, { lines: after, sign: 1 })
  }
  await storeSums(client, sums)
  const more = after.grants < settled.grants || after.events < settled.events
  await moveTo(client, after, more ? null : settled.at)
  return more
}

async function findSettled(pool: Pool): Promise<Settled | null> {
  const [now] = await execute(
    pool,
    query('business-now', sql`SELECT business_now() AS at`, { at: column.instant }),
  )
  // Days first: what was given for a payment is never known before the payment itself.
  const grants = await findSettledLine(pool, 'grants')
  const events = await findSettledLine(pool, 'order_events')
  return now && grants !== null && events !== null ? { grants, events, at: now.at } : null
}

/**
 * Brings the sums over the ledgers of all users up to date: income by day, ends of access, users by their first month.
 * Each line of a ledger or of the timeline changes what its user adds up to, from what it was without the line to what it
 * is with it; both follow from tables to which rows are only added, so that a run that is stopped or repeated changes
 * nothing twice.
 */
export async function addUpAccounts(pool: Pool, parts = partsOfRun): Promise<void> {
  const settled = await findSettled(pool)
  if (!settled) return
  for (let left = parts, more = true; more && left > 0; left -= 1)
    more = await inTransaction(pool, (client) => addUpSome(client, settled))
}
