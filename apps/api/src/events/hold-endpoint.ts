import { column, execute, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { type Actor, type AuditEntry, appendAuditSql } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'

const { sql } = Prisma

const heldColumns = {
  url: column.text,
  description: column.text,
  types: column.texts,
  enabled: column.boolean,
}

/**
 * An endpoint that is not removed, locked until the transaction ends.
 * @throws DomainError not_found
 */
export async function holdEndpoint(client: PoolClient, id: string): Promise<RowOf<typeof heldColumns>> {
  const [held] = await execute(
    client,
    query(
      'hold-webhook',
      sql`SELECT url, description, types, disabled_at IS NULL AS enabled FROM webhook_endpoints
        WHERE id = ${id}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`,
      heldColumns,
    ),
  )
  if (!held) throw new DomainError('not_found')
  return held
}

/** An address as the audit log shows it: what follows the path may be a secret of the receiver. */
export function shownUrl(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`
}

type Change = Pick<AuditEntry, 'action' | 'before' | 'after'> & { id: string }

/** Notes who did what with an endpoint, in the transaction of the act. */
export async function recordEndpoint(
  client: PoolClient,
  { id, ...change }: Change,
  { operatorId, from }: Actor,
): Promise<void> {
  const entry = { operatorId, subject: { type: 'webhook', id }, ...change }
  await execute(client, query('audit-webhook', appendAuditSql(sql`(SELECT 1) done`, entry, from)))
}

/** What waits for an endpoint is given up when it is switched off or removed: what is not sent today may mislead tomorrow. */
export const giveUpWaitingSql = (id: Prisma.Sql): Prisma.Sql => sql`
  UPDATE webhook_deliveries d SET state = 'given_up', next_attempt_at = NULL, claimed_until = NULL,
    ended_at = business_now()
  WHERE d.endpoint_id = ${id} AND d.state = 'waiting'`
