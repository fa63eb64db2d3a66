import {
  type RowCount,
  type TwoWayPage,
  type UserFilter,
  type UserListQuery,
  UserRow,
  type UserState,
} from '@meridian/contracts'
import { type Pool, Prisma, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { countRows } from '../platform/paging/count-tabs.ts'
import { type KeysetSort, keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { InstantKey } from '../platform/paging/paging.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { likePattern } from '../platform/sql/like-pattern.ts'
import { readLimited } from '../platform/sql/run-limited.ts'
import { remainingDaysSql } from '../platform/time/remaining-days.ts'

const { sql } = Prisma

const byArrival = {
  column: sql`created_at`,
  type: sql`timestamptz`,
  Key: InstantKey,
  idType: sql`uuid`,
  Id: z.uuid(),
}
const sorts = {
  newest: { ...byArrival, descending: true },
  oldest: { ...byArrival, descending: false },
} as const satisfies Record<UserListQuery['sort'], KeysetSort>

const inState: Readonly<Record<UserState, Prisma.Sql>> = {
  active: sql`disabled_at IS NULL AND erased_at IS NULL`,
  disabled: sql`disabled_at IS NOT NULL`,
  erased: sql`erased_at IS NOT NULL AND disabled_at IS NULL`,
}

/** What an operator may see of a nickname without saying why. */
export const maskedNicknameSql = sql`left(u.nickname, 1) || '***'`

/** The columns of `u`, a user, and `s`, their subscription. */
export const userRowColumnsSql = sql`
  u.id, ${maskedNicknameSql} AS nickname, u.created_at AS "createdAt", ${remainingDaysSql(sql`s.expires_at`)} AS "remainingDays",
  CASE WHEN u.disabled_at IS NOT NULL THEN 'disabled' WHEN u.erased_at IS NOT NULL THEN 'erased' ELSE 'active' END AS state,
  (SELECT count(*)::int FROM bindings b WHERE b.user_id = u.id AND b.unbound_at IS NULL) AS devices`

const isUserId = (text: string) => z.uuid().safeParse(text).success

/** Filters without an index of their own hold within a time range: the last 90 days unless one is given. */
function conditions({ state, from, to, search }: UserFilter): Prisma.Sql {
  const byName = search !== undefined && !isUserId(search)
  const needsRange = state !== undefined || byName
  const list = [
    sql`TRUE`,
    ...(state ? [inState[state]] : []),
    ...(from
      ? [sql`created_at >= ${from}`]
      : needsRange
        ? [sql`created_at >= business_now() - interval '90 days'`]
        : []),
    ...(to ? [sql`created_at < ${to}`] : []),
    ...(search === undefined
      ? []
      : [byName ? sql`nickname ILIKE ${`${likePattern(search)}%`}` : sql`id = ${search}::uuid`]),
  ]
  return Prisma.join(list, ' AND ')
}

const listed = columnsOf(UserRow.extend({ sortKey: z.string() }))
type Read = RowOf<typeof listed>
const toRow = ({ sortKey: _, ...row }: Read): UserRow => row

/** One page of users by their first login, forwards or backwards, at the same cost at any depth. */
export async function listUsers(pool: Pool, query: UserListQuery): Promise<TwoWayPage<UserRow>> {
  const { sort, limit, cursor: text, ...filter } = query
  const { cursor, beyond, orderBy } = keysetOf(sorts[sort], text)
  const rows = await readLimited(
    pool,
    sql`
      WITH page AS (
        SELECT * FROM users WHERE ${conditions(filter)} AND ${beyond} ORDER BY ${orderBy} LIMIT ${limit + 1})
      SELECT ${userRowColumnsSql}, u.created_at::text AS "sortKey"
      FROM page u
        LEFT JOIN LATERAL (SELECT expires_at FROM subscriptions WHERE user_id = u.id LIMIT 1) s ON TRUE
      ORDER BY ${orderBy}`,
    listed,
  )
  const page = toTwoWayPage(rows, { limit, cursor }, (row) => [row.sortKey, row.id])
  return { ...page, items: page.items.map(toRow) }
}

/** How many users the filters leave. */
export const countUsers = (pool: Pool, filter: UserFilter): Promise<RowCount> =>
  countRows(pool, sql`users WHERE ${conditions(filter)}`)
