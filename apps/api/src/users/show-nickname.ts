import { Prisma } from '@meridian/db'

const { sql } = Prisma

/** How an operator sees the names of users: by their first letter, or whole where the session revealed them. */
export type NameView = 'masked' | 'whole'

/** The nickname of `u`, a user, as an operator may see it: the one place that masks it. */
export const nicknameSql = (names: NameView): Prisma.Sql =>
  names === 'whole' ? sql`u.nickname` : sql`left(u.nickname, 1) || '***'`

/** The nickname of the user with this id, as an operator may see it. */
export const nicknameOfSql = (userId: Prisma.Sql, names: NameView): Prisma.Sql =>
  sql`(SELECT ${nicknameSql(names)} FROM users u WHERE u.id = ${userId})`
