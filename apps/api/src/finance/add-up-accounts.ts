import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { findSettledLine, lockWatermark } from '../platform/database/watermark.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { storeSums } from './account-sums.ts'
import type { Lines } from './read-accounts.ts'
import { changeOfSums, findGiven, findMoved } from './touched-accounts.ts'

const { sql } = Prisma

/** Of one transaction: so many lines of each table. Of one run: so many transactions; the next goes on where it was. */
const linesAtOnce = 2000
const partsOfRun = 50

/** Writes the last lines that are added up; when no more wait, also the instant up to which the sums are complete. */
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
  const part = (line: keyof Lines) => ({ after: before[line], until: settled[line], most: linesAtOnce })
  const [given, moved] = [await findGiven(client, part('grants')), await findMoved(client, part('events'))]
  const after: Lines = { grants: given.until ?? settled.grants, events: moved.until ?? settled.events }
  const userIds = [...given.userIds, ...moved.userIds]
  await storeSums(client, await changeOfSums(client, { userIds, before, after }))
  const more = given.until !== null || moved.until !== null
  await moveTo(client, after, more ? null : settled.at)
  return more
}

async function findSettled(pool: Pool): Promise<Settled | null> {
  const [now] = await execute(
    pool,
    query('business-now', sql`SELECT business_now() AS at`, { at: column.instant }),
  )
  // Grants are read first: a payment and its days are written in one commit, so that no grant is ahead of its payment.
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
