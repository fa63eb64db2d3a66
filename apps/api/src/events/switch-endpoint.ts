import type { WebhookSwitch } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { endAlertSql } from '../alerts/write-alert.ts'
import type { Actor } from '../audit/write-audit.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { giveUpWaitingSql, holdEndpoint, recordEndpoint } from './hold-endpoint.ts'

const { sql } = Prisma

/**
 * Switches an endpoint on or off. Off, what waits for it is given up; on, it is told what happens from now on, and its
 * failures are forgotten. As it is already, nothing changes.
 * @throws DomainError not_found
 */
export async function switchEndpoint(
  pool: Pool,
  { id, enabled }: WebhookSwitch,
  actor: Actor,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const held = await holdEndpoint(client, id)
    if (held.enabled === enabled) return
    await execute(
      client,
      query(
        'switch-webhook',
        sql`UPDATE webhook_endpoints SET failing_since = NULL,
            disabled_at = CASE WHEN ${enabled} THEN NULL ELSE business_now() END,
            disabled_by = CASE WHEN ${enabled} THEN NULL ELSE 'operator' END
          WHERE id = ${id}::uuid`,
      ),
    )
    // Also when it is switched on: what was on its way to be kept while somebody switched it off waits since.
    await execute(client, query('give-up-webhook', giveUpWaitingSql(sql`${id}::uuid`)))
    if (enabled)
      await execute(client, query('end-alert', endAlertSql('endpoint_disabled', id, 'condition_over')))
    const action = enabled ? 'webhook.enable' : 'webhook.disable'
    await recordEndpoint(client, { id, action, after: { description: held.description } }, actor)
  })
}

/**
 * Removes an endpoint: it is in no list any more, and nothing is sent to it. Its deliveries stay as long as others.
 * @throws DomainError not_found
 */
export async function removeEndpoint(pool: Pool, { id }: { id: string }, actor: Actor): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { description } = await holdEndpoint(client, id)
    await execute(
      client,
      query(
        'remove-webhook',
        sql`UPDATE webhook_endpoints SET deleted_at = business_now() WHERE id = ${id}::uuid`,
      ),
    )
    await execute(client, query('give-up-webhook', giveUpWaitingSql(sql`${id}::uuid`)))
    await recordEndpoint(client, { id, action: 'webhook.remove', before: { description } }, actor)
  })
}
