import { MOST_WEBHOOK_ENDPOINTS, type NewWebhookEndpoint, type WebhookSecret } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import type { Actor } from '../audit/write-audit.ts'
import { type Secrets, seal } from '../platform/crypto/seal.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newId } from '../platform/ids/new-id.ts'
import type { Reach } from '../platform/network/reachable.ts'
import { requireRoom } from '../platform/sql/require-room.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { holdEndpoint, recordEndpoint, shownUrl } from './hold-endpoint.ts'
import { judgeAddress } from './judge-address.ts'
import { aboutSecret } from './sealed-webhook-secrets.ts'
import { newWebhookSecret } from './sign-webhook.ts'

const { sql } = Prisma

/** What endpoints are kept with: the connections, the keys of their secrets, and whom they may reach. */
export type EndpointDesk = { pool: Pool; dataKeys: Secrets; reach: Reach }

const room = {
  name: 'webhooks',
  countSql: sql`webhook_endpoints WHERE deleted_at IS NULL`,
  most: MOST_WEBHOOK_ENDPOINTS,
  refusal: () =>
    new DomainError('invalid_request', {
      errors: [
        {
          path: 'url',
          message: {
            zh: `已有 ${MOST_WEBHOOK_ENDPOINTS} 个地址，请先删除不再使用的`,
            en: `there are ${MOST_WEBHOOK_ENDPOINTS} endpoints already: remove what is not used any more`,
          },
        },
      ],
    }),
}

/**
 * Makes an endpoint, which is told what happens from now on. Its secret is in this answer and nowhere else.
 * @throws DomainError invalid_request for an address that may not be called, and beyond as many as there may be
 */
export async function createEndpoint(
  { pool, dataKeys, reach }: EndpointDesk,
  { url, description, types }: NewWebhookEndpoint,
  actor: Actor,
): Promise<WebhookSecret> {
  await judgeAddress(url, reach)
  const [id, secret] = [newId(), newWebhookSecret()]
  await inTransaction(pool, async (client) => {
    await requireRoom(client, room)
    await execute(
      client,
      query(
        'create-webhook',
        sql`INSERT INTO webhook_endpoints (id, url, description, types, sealed_secret, created_by)
          VALUES (${id}::uuid, ${url}, ${description}, ${[...types]}::text[],
            ${seal(dataKeys, aboutSecret(id), Buffer.from(secret))}, ${actor.operatorId}::uuid)`,
      ),
    )
    const after = { url: shownUrl(url), description, types: [...types] }
    await recordEndpoint(client, { id, action: 'webhook.create', after }, actor)
  })
  return { id, secret }
}

type Edit = NewWebhookEndpoint & { id: string }

/**
 * Changes where an endpoint is, what it is called and of which types it is told; what waits goes to the new address.
 * @throws DomainError not_found; invalid_request for an address that may not be called
 */
export async function editEndpoint(
  { pool, reach }: EndpointDesk,
  { id, url, description, types }: Edit,
  actor: Actor,
): Promise<void> {
  await judgeAddress(url, reach)
  await inTransaction(pool, async (client) => {
    const held = await holdEndpoint(client, id)
    await execute(
      client,
      query(
        'edit-webhook',
        sql`UPDATE webhook_endpoints SET url = ${url}, description = ${description}, types = ${[...types]}::text[]
          WHERE id = ${id}::uuid`,
      ),
    )
    const before = { url: shownUrl(held.url), description: held.description, types: held.types }
    const after = { url: shownUrl(url), description, types: [...types] }
    await recordEndpoint(client, { id, action: 'webhook.edit', before, after }, actor)
  })
}

/** Both secrets sign for so long after a rotation (SPEC §17). */
const bothSignHours = 24

/**
 * Gives an endpoint a new secret, which is in this answer and nowhere else; the one before signs too for 24 hours. A
 * secret before that one ends at once.
 * @throws DomainError not_found
 */
export async function rotateSecret(
  { pool, dataKeys }: EndpointDesk,
  { id }: { id: string },
  actor: Actor,
): Promise<WebhookSecret> {
  const secret = newWebhookSecret()
  await inTransaction(pool, async (client) => {
    await holdEndpoint(client, id)
    await execute(
      client,
      query(
        'rotate-webhook-secret',
        sql`UPDATE webhook_endpoints SET sealed_previous_secret = sealed_secret,
            previous_secret_until = business_now() + ${bothSignHours} * interval '1 hour',
            sealed_secret = ${seal(dataKeys, aboutSecret(id), Buffer.from(secret))}
          WHERE id = ${id}::uuid`,
      ),
    )
    await recordEndpoint(client, { id, action: 'webhook.rotate' }, actor)
  })
  return { id, secret }
}
