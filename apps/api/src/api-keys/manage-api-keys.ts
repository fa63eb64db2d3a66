import { type CreatedApiKey, MOST_API_KEYS_IN_USE, type NewApiKey } from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { type Actor, type AuditEntry, appendAuditSql } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newId } from '../platform/ids/new-id.ts'
import { requireRoom } from '../platform/sql/require-room.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { hashKey, hintOf, newKeyText } from './key-text.ts'

const { sql } = Prisma

/** Whether a key opens anything, as a condition on `api_keys`. */
export const isKeyInUseSql = sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > business_now())`

type Change = Pick<AuditEntry, 'action' | 'before' | 'after'> & { id: string }

async function record(
  client: PoolClient,
  { id, ...change }: Change,
  { operatorId, from }: Actor,
): Promise<void> {
  const entry = { operatorId, subject: { type: 'api_key', id }, ...change }
  await execute(client, query('audit-api-key', appendAuditSql(sql`(SELECT 1) done`, entry, from)))
}

const refusal = (path: string, zh: string, en: string) =>
  new DomainError('invalid_request', { errors: [{ path, message: { zh, en } }] })

const room = {
  name: 'api keys',
  countSql: sql`api_keys WHERE ${isKeyInUseSql}`,
  most: MOST_API_KEYS_IN_USE,
  refusal: () =>
    refusal(
      'name',
      `已有 ${MOST_API_KEYS_IN_USE} 个密钥，请先停用不再使用的`,
      `there are ${MOST_API_KEYS_IN_USE} keys already: revoke what is not used any more`,
    ),
}

/**
 * Makes a key. Its text is in this answer and nowhere else.
 * @throws DomainError invalid_request for an end that is over, and beyond as many as may be in use
 */
export async function createApiKey(
  pool: Pool,
  { name, scopes, expiresAt }: NewApiKey,
  actor: Actor,
): Promise<CreatedApiKey> {
  const key = newKeyText()
  const id = newId()
  await inTransaction(pool, async (client) => {
    await requireRoom(client, room)
    const made = await execute(
      client,
      query(
        'create-api-key',
        sql`INSERT INTO api_keys (id, name, hint, key_hash, scopes, expires_at, created_by)
          SELECT ${id}::uuid, ${name}, ${hintOf(key)}, ${hashKey(key)}, ${[...scopes]}::text[], ${expiresAt}::timestamptz,
            ${actor.operatorId}::uuid
          WHERE ${expiresAt}::timestamptz IS NULL OR ${expiresAt}::timestamptz > business_now() RETURNING id`,
        { id: column.text },
      ),
    )
    if (made.length === 0) throw refusal('expiresAt', '有效期必须晚于现在', 'must lie ahead')
    const after = { name, scopes: [...scopes], expiresAt: expiresAt?.toISOString() ?? null }
    await record(client, { id, action: 'api_key.create', after }, actor)
  })
  return { id, key }
}

/**
 * Ends a key: from now on it opens nothing, on any replica. What is over stays so.
 * @throws DomainError not_found
 */
export async function revokeApiKey(pool: Pool, { id }: { id: string }, actor: Actor): Promise<void> {
  await inTransaction(pool, async (client) => {
    const [key] = await execute(
      client,
      query(
        'revoke-api-key',
        sql`WITH found AS (SELECT id, name, revoked_at FROM api_keys WHERE id = ${id}::uuid FOR UPDATE),
          revoked AS (
            UPDATE api_keys k SET revoked_at = business_now(), revoked_by = ${actor.operatorId}::uuid
            FROM found WHERE k.id = found.id AND found.revoked_at IS NULL RETURNING k.id)
          SELECT name, EXISTS (SELECT FROM revoked) AS "isNew" FROM found`,
        { name: column.text, isNew: column.boolean },
      ),
    )
    if (!key) throw new DomainError('not_found')
    if (key.isNew) await record(client, { id, action: 'api_key.revoke', before: { name: key.name } }, actor)
  })
}
