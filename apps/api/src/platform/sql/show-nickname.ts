import { Prisma } from '@meridian/db'

const { sql } = Prisma

/** How an operator sees the names of users: by their first letter, or whole where the session revealed them. */
export type NameView = 'masked' | 'whole'

/** The nickname of `u`, a user, as an operator may see it: the one place that masks it. One text for both, as a prepared statement wants. */
export const nicknameSql = (names: NameView): Prisma.Sql =>
  sql`CASE WHEN ${names === 'whole'}::boolean THEN u.nickname ELSE left(u.nickname, 1) || '***' END`

/** The nickname of the user with this id, as an operator may see it. */
export const nicknameOfSql = (userId: Prisma.Sql, names: NameView): Prisma.Sql =>
  sql`(SELECT ${nicknameSql(names)} FROM users u WHERE u.id = ${userId})`
