import { Prisma } from '@meridian/db'

const { sql } = Prisma

/** Whether somebody would be told: an endpoint, or a system that polls. Nobody is told what happened before they asked. */
export const isSomebodyToldSql = sql`(
  EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL AND deleted_at IS NULL)
  OR EXISTS (SELECT FROM api_keys WHERE revoked_at IS NULL AND 'events:read' = ANY (scopes)
    AND (expires_at IS NULL OR expires_at > business_now())))`

/**
 * Whether the delivery `d` has an earlier one of its subject on its way to the same endpoint. Asked of each by itself, by
 * the index of those in turn: joined, a table without statistics yet would be read once for each of its rows.
 */
export const waitsItsTurnSql = sql`(d.id <> (
  SELECT earlier.id FROM webhook_deliveries earlier WHERE earlier.endpoint_id = d.endpoint_id
    AND earlier.state = 'waiting' AND earlier.subject_kind = d.subject_kind AND earlier.subject = d.subject
  ORDER BY earlier.id LIMIT 1))`

const collectedSql = (name: 'told_orders' | 'told_subscriptions' | 'told_others') =>
  sql`coalesce((SELECT line_id FROM watermarks WHERE name = ${name}), 0)`

/**
 * Since when the oldest event waits that nobody was sent once, as an expression; null where none does. One that waits its
 * turn behind another is not stuck, and neither is one that was tried.
 */
export const oldestUntriedSql = sql`least(
  (SELECT min(oldest.created_at) FROM webhook_endpoints e, LATERAL (
    SELECT d.created_at FROM webhook_deliveries d
    WHERE d.endpoint_id = e.id AND d.state = 'waiting' AND d.last_attempt_at IS NULL AND NOT ${waitsItsTurnSql}
    ORDER BY d.next_attempt_at, d.id LIMIT 1) oldest
    WHERE e.disabled_at IS NULL AND e.deleted_at IS NULL),
  CASE WHEN ${isSomebodyToldSql} THEN least(
    (SELECT at FROM order_events WHERE id > ${collectedSql('told_orders')} ORDER BY id LIMIT 1),
    (SELECT created_at FROM grants WHERE id > ${collectedSql('told_subscriptions')} ORDER BY id LIMIT 1),
    (SELECT created_at FROM outbox_lines WHERE id > ${collectedSql('told_others')} ORDER BY id LIMIT 1)) END)`
