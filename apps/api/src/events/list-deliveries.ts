import {
  type TwoWayPage,
  WebhookDeliveryDetail,
  type WebhookDeliveryListQuery,
  type WebhookDeliveryReference,
  WebhookDeliveryRow,
} from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { serialColumn } from '../platform/paging/keyset.ts'
import { readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'

const { sql } = Prisma

const id = serialColumn(sql`d.id`)
const newestFirst = { key: id, id, descending: true }

/** The `webhook-id` of delivery `d` of event `v`: that of its event, and of a test its own. */
export const webhookIdSql = sql`coalesce(v.event_id, 'test_' || d.id)`

const rowSql = sql`
  d.id::text, d.endpoint_id::text AS "endpointId", ${webhookIdSql} AS "eventId", d.type,
  CASE WHEN d.event_id IS NULL THEN '' ELSE d.subject END AS subject, d.state, d.attempts,
  d.next_attempt_at AS "nextAttemptAt", d.last_status AS "lastStatus", d.last_error AS "lastError",
  d.last_attempt_at AS "lastAttemptAt", d.created_at AS "createdAt"`

/** One page of what was sent to an endpoint, or is on its way, the newest first. */
export const listDeliveries = (
  pool: Pool,
  { id: endpointId, state, type, ...asked }: WebhookDeliveryListQuery,
): Promise<TwoWayPage<WebhookDeliveryRow>> =>
  readPage(
    pool,
    { sort: newestFirst, asked, columns: columnsOf(WebhookDeliveryRow) },
    ({ position, page }) => sql`
      SELECT ${rowSql}, ${position} FROM webhook_deliveries d LEFT JOIN events v ON v.id = d.event_id
      WHERE d.endpoint_id = ${endpointId}::uuid AND ${state ? sql`d.state = ${state}` : sql`TRUE`}
        AND ${type ? sql`d.type = ${type}` : sql`TRUE`} AND ${page}`,
  )

/**
 * A delivery with its bytes, the headers of the last try and the first 4 KiB of the answer.
 * @throws DomainError not_found
 */
export async function getDelivery(
  pool: Pool,
  { id: deliveryId }: WebhookDeliveryReference,
): Promise<WebhookDeliveryDetail> {
  const [found] = await execute(
    pool,
    query(
      'show-webhook-delivery',
      sql`SELECT ${rowSql}, e.url, coalesce(d.body, v.body) AS body, d.last_headers AS headers, d.last_answer AS "lastAnswer"
        FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id LEFT JOIN events v ON v.id = d.event_id
        WHERE d.id = ${deliveryId}::bigint`,
      columnsOf(WebhookDeliveryDetail),
    ),
  )
  if (!found) throw new DomainError('not_found')
  return found
}
