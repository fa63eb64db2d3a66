import { column, execute, nullable, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { type AccountSums, addChange, noSums } from './account-sums.ts'
import { type Lines, readAccounts } from './read-accounts.ts'

const { sql } = Prisma

/** The users of some lines. `until`: the last line read where the limit was reached; null where no more lines wait. */
export type Touched = { userIds: string[]; until: bigint | null }

async function findTouched(client: PoolClient, lines: Prisma.Sql, most: number): Promise<Touched> {
  // Without a name: with the numbers before it the planner knows how few lines these are.
  const rows = await execute(
    client,
    query(null, sql`${lines} ORDER BY 1 LIMIT ${most}`, { line: column.bigint, userId: column.text }),
  )
  const until = rows.length < most ? null : (rows.at(-1)?.line ?? null)
  return { userIds: rows.map(({ userId }) => userId), until }
}

type Part = { after: bigint; until: bigint | null; most: number }

const isWithin = (id: Prisma.Sql, { after, until }: Part): Prisma.Sql =>
  until === null ? sql`${id} > ${after}` : sql`${id} > ${after} AND ${id} <= ${until}`

/** Users with lines of `grants` in this range. */
export const findGiven = (client: PoolClient, part: Part): Promise<Touched> =>
  findTouched(
    client,
    sql`SELECT id AS line, user_id::text AS "userId" FROM grants WHERE ${isWithin(sql`id`, part)}`,
    part.most,
  )

/** Users with payments or refunds in this range of `order_events`. */
export const findMoved = (client: PoolClient, part: Part): Promise<Touched> =>
  findTouched(
    client,
    sql`
    SELECT e.id AS line, o.user_id::text AS "userId" FROM order_events e JOIN orders o ON o.id = e.order_id
    WHERE ${isWithin(sql`e.id`, part)} AND e.kind IN ('pay', 'refund')`,
    part.most,
  )

/** Users read by one statement and added up without a pause; between two such batches the event loop serves other work. */
const usersAtOnce = 50

type Change = { userIds: readonly string[]; before: Lines; after: Lines }

/** How the lines between `before` and `after` change the sums, for these users. */
export async function changeOfSums(
  client: PoolClient,
  { userIds, before, after }: Change,
): Promise<AccountSums> {
  const sums = noSums()
  const left = [...new Set(userIds)]
  while (left.length > 0)
    for (const account of await readAccounts(client, left.splice(0, usersAtOnce)))
      addChange(sums, account, { before, after })
  return sums
}

const reachedColumns = {
  now: column.instant,
  reachedAt: nullable(column.instant),
  events: column.bigint,
  grants: column.bigint,
}
type Reached = RowOf<typeof reachedColumns>

/** The last lines added up, and the instant up to which the stored sums are complete; null before they were filled once. */
async function readReached(client: PoolClient): Promise<Reached> {
  const [found] = await execute(
    client,
    query(
      'accounts-reached',
      sql`
      SELECT business_now() AS now, max(reached_at) AS "reachedAt", coalesce(max(line_id) FILTER (WHERE name = 'account_grants'), 0) AS grants,
        coalesce(max(line_id) FILTER (WHERE name = 'account_events'), 0) AS events
      FROM watermarks WHERE name IN ('account_grants', 'account_events')`,
      reachedColumns,
    ),
  )
  if (!found) throw new Error('an aggregate without a row')
  return found
}

/** Up to so many lines that the job has not added up yet are added while a page is read; beyond that the page shows the stored sums. */
const mostLive = 200
const everything = 9_223_372_036_854_775_807n

/**
 * What to add to the stored sums, and the instant up to which both together are complete: now, unless more lines wait
 * than `most`. Then nothing is added, and `behind` is the last line of the timeline that the sums hold. Inside a
 * transaction with one snapshot.
 */
export async function readLive(client: PoolClient, most = mostLive) {
  const { now, reachedAt, ...before } = await readReached(client)
  const given = await findGiven(client, { after: before.grants, until: null, most: most + 1 })
  const moved = await findMoved(client, { after: before.events, until: null, most: most + 1 })
  const userIds = [...given.userIds, ...moved.userIds]
  if (userIds.length > most) return { live: noSums(), reachedAt, behind: before.events }
  const after = { grants: everything, events: everything }
  return { live: await changeOfSums(client, { userIds, before, after }), reachedAt: now, behind: null }
}
