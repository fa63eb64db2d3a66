import {
  type RowCount,
  type TwoWayPage,
  type UserFilter,
  type UserListQuery,
  UserRow,
  type UserState,
} from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { z } from 'zod'
import { byAge, instantColumn, uuidColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql, withinSql } from '../platform/sql/conditions.ts'
import { type NameView, nicknameSql } from '../platform/sql/show-nickname.ts'
import { remainingDaysSql } from '../platform/time/business-time.ts'
import { taggedSorts, taggedSql, tagsOfSql } from '../tags/tagged-lists.ts'
import { isNamedSql } from './is-named.ts'

const { sql } = Prisma

const sorts = byAge({ key: instantColumn(sql`created_at`), id: uuidColumn(sql`id`) })

const inState: Readonly<Record<UserState, Prisma.Sql>> = {
  active: sql`disabled_at IS NULL AND erased_at IS NULL`,
  disabled: sql`disabled_at IS NOT NULL`,
  erased: sql`erased_at IS NOT NULL AND disabled_at IS NULL`,
}

/** The columns of `u`, a user, and `s`, their subscription. */
export const userRowColumnsSql = (names: NameView) => sql`
  u.id, ${nicknameSql(names)} AS nickname, u.created_at AS "createdAt", ${remainingDaysSql(sql`s.expires_at`)} AS "remainingDays",
  CASE WHEN u.disabled_at IS NOT NULL THEN 'disabled' WHEN u.erased_at IS NOT NULL THEN 'erased' ELSE 'active' END AS state,
  (SELECT count(*)::int FROM bindings b WHERE b.user_id = u.id AND b.unbound_at IS NULL) AS devices`

const isUserId = (text: string) => z.uuid().safeParse(text).success

/** Filters without an index of their own hold within a time range; what bears a tag is read out of the index of tags. */
function conditions({ state, tag, from, to, search }: UserFilter): Prisma.Sql {
  const byName = search !== undefined && !isUserId(search)
  return allOfSql(
    state && inState[state],
    ...withinSql(
      tag ? sql`tagged_at` : sql`created_at`,
      { from, to },
      { needsRange: !tag && (state !== undefined || byName) },
    ),
    search !== undefined && (byName ? isNamedSql(sql`nickname`, search) : sql`id = ${search}::uuid`),
  )
}

/** The users that the filter leaves, as what follows FROM. */
const filteredSql = (filter: UserFilter): Prisma.Sql => {
  const users = filter.tag
    ? sql`${taggedSql('user', filter.tag)} JOIN users ON id = tagged_id::uuid`
    : sql`users`
  return sql`${users} WHERE ${conditions(filter)}`
}

/** One page of users by their first login. */
export const listUsers = (
  pool: Pool,
  query: UserListQuery,
  names: NameView = 'masked',
): Promise<TwoWayPage<UserRow>> =>
  readPage(
    pool,
    { sort: (query.tag ? taggedSorts : sorts)[query.sort], asked: query, columns: columnsOf(UserRow) },
    ({ position, page, orderBy }) => sql`
      WITH page AS (SELECT * FROM ${filteredSql(query)} AND ${page})
      SELECT ${userRowColumnsSql(names)}, ${tagsOfSql('user', sql`u.id::text`)} AS tags, ${position}
      FROM page u
        LEFT JOIN LATERAL (SELECT expires_at FROM subscriptions WHERE user_id = u.id LIMIT 1) s ON TRUE
      ORDER BY ${orderBy}`,
  )

/** How many users the filters leave. */
export const countUsers = (pool: Pool, filter: UserFilter): Promise<RowCount> =>
  countRows(pool, filteredSql(filter))
