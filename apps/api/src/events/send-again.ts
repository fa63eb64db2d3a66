import { WEBHOOK_TEST_TYPE, type WebhookDeliveryReference } from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import type { Actor } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newUlid } from '../platform/ids/new-id.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { holdEndpoint, recordEndpoint } from './hold-endpoint.ts'

const { sql } = Prisma

/** @throws DomainError not_found; invalid_request where the endpoint is switched off */
async function holdOpenEndpoint(client: PoolClient, id: string): Promise<void> {
  const { enabled } = await holdEndpoint(client, id)
  if (enabled) return
  const message = { zh: '地址已停用，请先启用', en: 'the endpoint is switched off: switch it on first' }
  throw new DomainError('invalid_request', { errors: [{ path: 'id', message }] })
}

/**
 * Sends a test to an endpoint, as an event is sent: signed, tried again, shown among its deliveries. Answers its delivery.
 * @throws DomainError not_found; invalid_request where the endpoint is switched off
 */
export function sendTest(
  pool: Pool,
  { id }: { id: string },
  actor: Actor,
): Promise<WebhookDeliveryReference> {
  return inTransaction(pool, async (client) => {
    await holdOpenEndpoint(client, id)
    const [made] = await execute(
      client,
      query(
        'send-webhook-test',
        sql`INSERT INTO webhook_deliveries (endpoint_id, type, subject_kind, subject, body, next_attempt_at)
          SELECT ${id}::uuid, ${WEBHOOK_TEST_TYPE}, 'test', ${newUlid()}, json_build_object('type', ${WEBHOOK_TEST_TYPE}::text,
            'timestamp', (to_jsonb(business_now() AT TIME ZONE 'UTC') #>> '{}') || 'Z',
            'data', json_build_object('seq', 1))::text, business_now()
          RETURNING id::text AS id`,
        { id: column.text },
      ),
    )
    if (!made) throw new Error('a test without a row')
    await recordEndpoint(client, { id, action: 'webhook.test' }, actor)
    return made
  })
}

/**
 * Puts a delivery that is over on its way again, with the same bytes and id and all its tries before it. One that still
 * waits is tried at once.
 * @throws DomainError not_found; invalid_request where the endpoint is switched off
 */
export async function sendAgain(pool: Pool, { id }: WebhookDeliveryReference, actor: Actor): Promise<void> {
  await inTransaction(pool, async (client) => {
    const [found] = await execute(
      client,
      query(
        'find-webhook-delivery',
        sql`SELECT endpoint_id::text AS "endpointId", type, subject FROM webhook_deliveries WHERE id = ${id}::bigint`,
        { endpointId: column.text, type: column.text, subject: column.text },
      ),
    )
    if (!found) throw new DomainError('not_found')
    const { endpointId, ...delivery } = found
    await holdOpenEndpoint(client, endpointId)
    await execute(
      client,
      query(
        'send-webhook-again',
        sql`UPDATE webhook_deliveries SET state = 'waiting', ended_at = NULL, next_attempt_at = business_now(),
            attempts = CASE WHEN state = 'waiting' THEN attempts ELSE 0 END
          WHERE id = ${id}::bigint`,
      ),
    )
    const after = { delivery: id, ...delivery }
    await recordEndpoint(client, { id: endpointId, action: 'webhook.send_again', after }, actor)
  })
}
