import { ApiScope } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import { hashKey, isKeyText } from './key-text.ts'
import { isKeyInUseSql } from './manage-api-keys.ts'

const { sql } = Prisma

/** A key that opens something. */
export type UsedApiKey = { id: string; scopes: readonly ApiScope[]; isUseNoted: boolean }

const Scopes = z.array(ApiScope)

/** The key of this text, unless it is revoked or over. */
export async function findApiKey(pool: Pool, text: string): Promise<UsedApiKey | null> {
  if (!isKeyText(text)) return null
  const [found] = await execute(
    pool,
    query(
      'find-api-key',
      sql`SELECT id::text AS id, scopes,
          coalesce(last_used_at > business_now() - interval '1 minute', false) AS "isUseNoted"
        FROM api_keys WHERE key_hash = ${hashKey(text)} AND ${isKeyInUseSql}`,
      { id: column.text, scopes: column.texts, isUseNoted: column.boolean },
    ),
  )
  return found ? { ...found, scopes: Scopes.parse(found.scopes) } : null
}

/** Whether the key of this id opens anything, as a condition for any statement. */
export const opensSql = (id: string): Prisma.Sql =>
  sql`EXISTS (SELECT FROM api_keys WHERE id = ${id}::uuid AND ${isKeyInUseSql})`

/** @throws DomainError unauthenticated where the key of this id opens nothing any more */
export async function requireKeyInUse(pool: Pool, id: string): Promise<void> {
  const [row] = await execute(
    pool,
    query('is-key-in-use', sql`SELECT ${opensSql(id)} AS "isInUse"`, { isInUse: column.boolean }),
  )
  if (!row?.isInUse) throw new DomainError('unauthenticated')
}

/** Notes that a key is used, once a minute at most. */
export async function noteKeyUse(pool: Pool, id: string): Promise<void> {
  await execute(
    pool,
    query(
      'note-key-use',
      sql`UPDATE api_keys SET last_used_at = business_now()
        WHERE id = ${id}::uuid AND (last_used_at IS NULL OR last_used_at <= business_now() - interval '1 minute')`,
    ),
  )
}
