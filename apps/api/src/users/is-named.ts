import { Prisma } from '@meridian/db'
import { likePattern } from '../platform/sql/conditions.ts'

const { sql } = Prisma

/** By the index `users_by_nickname_pairs`; one character alone has no pair, and reads what other conditions leave. */
const hasPairsSql = (nickname: Prisma.Sql, text: string) =>
  [...text].length > 1 ? sql`character_pairs(${nickname}) @> character_pairs(${text})` : sql`TRUE`

/**
 * The rule of every search by nickname: the text is any part of it, in any case, and `%` and `_` in it mean themselves.
 * Nobody without a nickname is found. From two characters on an index leads to them.
 */
export const isNamedSql = (nickname: Prisma.Sql, text: string): Prisma.Sql =>
  sql`${hasPairsSql(nickname, text)} AND ${nickname} IS NOT NULL AND ${nickname} ILIKE ${`%${likePattern(text)}%`}`
