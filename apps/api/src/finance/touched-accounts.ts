import { column, execute, nullable, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { type AccountSums, addChange, noSums } from './account-sums.ts'
import { type Lines, readAccounts } from './read-accounts.ts'

const { sql } = Prisma

/** Lines of a table with their users: so many at most, and up to where that is all of them; null where it is all there is. */
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

/** Whose days changed. */
export const findGiven = (client: PoolClient, part: Part): Promise<Touched> =>
  findTouched(
    client,
    sql`SELECT id AS line, user_id::text AS "userId" FROM grants WHERE ${isWithin(sql`id`, part)}`,
    part.most,
  )

/** Whose orders were paid or refunded. */
export const findMoved = (client: PoolClient, part: Part): Promise<Touched> =>
  findTouched(
    client,
    sql`
    SELECT e.id AS line, o.user_id::text AS "userId" FROM order_events e JOIN orders o ON o.id = e.order_id
    WHERE ${isWithin(sql`e.id`, part)} AND e.kind IN ('pay', 'refund')`,
    part.most,
  )

/** So many users are read and added up in one go: between two of them, other work of the process has its turn. */
const usersAtOnce = 50

type Change = { userIds: readonly string[]; before: Lines; after: Lines }

/** What these users add up to with some lines less what they added up to without them. */
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

/** How far the stored sums are, and up to which instant that is everything; null until all of the past was taken in once. */
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

/** So many lines that are not in the stored sums are added as they are read; where there are more, the job is waited for. */
const mostLive = 200
const everything = 9_223_372_036_854_775_807n

/**
 * What is to be added to the stored sums, and the instant as of which both together are exact: this very moment, unless
 * more was written than can be added while somebody waits. `behind`: the last line of the timeline that is in, where some
 * are not. Inside a transaction with one snapshot.
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
