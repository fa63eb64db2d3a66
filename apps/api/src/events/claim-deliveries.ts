import { column, execute, nullable, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { webhookIdSql } from './list-deliveries.ts'
import { waitsItsTurnSql } from './oldest-untried.ts'

const { sql } = Prisma

/** Twice as long as a try takes (15 s): whoever had it was stopped, and somebody else sends it. */
const claimSeconds = 30
/** Of one endpoint at once: a receiver that hangs keeps its own waiting and nobody else's. */
export const atOncePerEndpoint = 4

const claimedColumns = {
  id: column.bigint,
  endpointId: column.text,
  url: column.text,
  webhookId: column.text,
  body: column.text,
  attempts: column.integer,
  sealedSecret: column.bytes,
  sealedPreviousSecret: nullable(column.bytes),
}
/** A delivery that this process may try now. */
export type Claimed = RowOf<typeof claimedColumns>

/**
 * Takes deliveries that are due, a few of each endpoint less those under way in this process (`busy`), and none whose
 * subject has an earlier one on its way there. Whoever claims one has it for a while; nothing is locked while it is sent.
 */
export const claimDeliveries = (pool: Pool, busy: ReadonlyMap<string, number>): Promise<Claimed[]> =>
  execute(
    pool,
    query(
      'claim-deliveries',
      sql`
      WITH due AS (
        SELECT d.id FROM webhook_endpoints e
          LEFT JOIN unnest(${[...busy.keys()]}::uuid[], ${[...busy.values()]}::int[]) AS busy(id, tries) ON busy.id = e.id,
          LATERAL (
            SELECT d.id FROM webhook_deliveries d
            WHERE d.endpoint_id = e.id AND d.state = 'waiting' AND d.next_attempt_at <= business_now()
              AND (d.claimed_until IS NULL OR d.claimed_until <= business_now())
              AND NOT ${waitsItsTurnSql}
            ORDER BY d.next_attempt_at, d.id LIMIT greatest(0, ${atOncePerEndpoint} - coalesce(busy.tries, 0))
            FOR UPDATE OF d SKIP LOCKED) d
        WHERE e.disabled_at IS NULL AND e.deleted_at IS NULL)
      UPDATE webhook_deliveries d SET claimed_until = business_now() + ${claimSeconds} * interval '1 second',
        last_attempt_at = business_now()
      FROM due, webhook_endpoints e, webhook_deliveries same LEFT JOIN events v ON v.id = same.event_id
      WHERE d.id = due.id AND e.id = d.endpoint_id AND same.id = d.id
      RETURNING d.id, d.endpoint_id::text AS "endpointId", e.url, d.attempts, e.sealed_secret AS "sealedSecret",
        CASE WHEN e.previous_secret_until > business_now() THEN e.sealed_previous_secret END AS "sealedPreviousSecret",
        ${webhookIdSql} AS "webhookId", coalesce(d.body, v.body) AS body`,
      claimedColumns,
    ),
  )
