import { execute, type Pool, Prisma, query } from '@meridian/db'
import { raiseAlertsSql } from '../alerts/write-alert.ts'
import { giveUpWaitingSql } from './hold-endpoint.ts'
import { secondsToNextTry } from './retry-schedule.ts'
import type { Outcome } from './try-delivery.ts'

const { sql } = Prisma

/** An endpoint with failures and no success for so long is switched off (SPEC §17). */
const failingDays = 5

type Tried = { id: bigint; attempts: number }

const isSuccess = ({ status }: Outcome) => status !== null && status >= 200 && status < 300

/** What follows for the relation `switched` of endpoints just switched off: what waits is given up, an alert is opened. */
const afterSwitchingOffSql = sql`
  given_up AS (
    ${giveUpWaitingSql(sql`ANY (SELECT id FROM switched)`)} AND d.id IS DISTINCT FROM (SELECT max(delivery_id) FROM switched))
  ${raiseAlertsSql(
    'endpoint_disabled',
    sql`SELECT id::text AS subject, jsonb_build_object('endpoint', description, 'because', disabled_by) AS detail FROM switched`,
  )}`

type Verdict = { isDelivered: boolean; isGone: boolean }

/** Whether a try changes what is known of its endpoint `e`: success after success is noted once a minute. */
const changesEndpointSql = ({ isDelivered, isGone }: Verdict) => sql`(
  e.disabled_at IS NULL AND (${isGone} OR ${isDelivered} = (e.failing_since IS NOT NULL)
    OR ${isDelivered} AND coalesce(e.last_success_at <= business_now() - interval '1 minute', true)))`

/**
 * Keeps how a try went: of the delivery and of its endpoint, which an answer 410 switches off. An endpoint that will be
 * changed is locked before the delivery, as whoever switches or removes it does (hold-endpoint).
 */
export async function recordOutcome(pool: Pool, { id, attempts }: Tried, outcome: Outcome): Promise<void> {
  const [isDelivered, isGone] = [isSuccess(outcome), outcome.status === 410]
  const next = isDelivered || isGone ? null : secondsToNextTry(attempts + 1, Math.random())
  const changesEndpoint = changesEndpointSql({ isDelivered, isGone })
  const state = isDelivered ? 'delivered' : next === null ? 'given_up' : 'waiting'
  await execute(
    pool,
    query(
      'record-delivery',
      sql`
      WITH held AS (
        SELECT e.id FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
        WHERE d.id = ${id} AND ${changesEndpoint} FOR NO KEY UPDATE OF e),
      recorded AS (
        UPDATE webhook_deliveries SET attempts = attempts + 1, state = ${state}, claimed_until = NULL,
          next_attempt_at = business_now() + ${next}::float8 * interval '1 second',
          ended_at = CASE WHEN ${state} <> 'waiting' THEN business_now() END, last_status = ${outcome.status}::int,
          last_error = ${outcome.error}::text, last_answer = ${outcome.answer}::text,
          last_headers = ${JSON.stringify(outcome.headers)}::jsonb
        WHERE id = ${id} AND state = 'waiting' AND (attempts = ${attempts} OR ${isDelivered})
          AND (SELECT count(*) FROM held) >= 0 RETURNING id, endpoint_id),
      stood AS (
        UPDATE webhook_endpoints e SET
          failing_since = CASE WHEN ${isDelivered} THEN NULL ELSE coalesce(e.failing_since, business_now()) END,
          last_success_at = CASE WHEN ${isDelivered} THEN business_now() ELSE e.last_success_at END,
          disabled_at = CASE WHEN ${isGone} THEN business_now() END, disabled_by = CASE WHEN ${isGone} THEN 'gone' END
        FROM recorded WHERE e.id = recorded.endpoint_id AND ${changesEndpoint}
        RETURNING e.id, e.disabled_by, e.description, recorded.id AS delivery_id),
      switched AS (SELECT * FROM stood WHERE disabled_by IS NOT NULL),
      ${afterSwitchingOffSql}`,
    ),
  )
}

/** Switches off every endpoint that has failed for five days and had no success. */
export async function switchOffFailing(pool: Pool): Promise<void> {
  await execute(
    pool,
    query(
      'switch-off-failing',
      sql`
      WITH switched AS (
        UPDATE webhook_endpoints SET disabled_at = business_now(), disabled_by = 'failures'
        WHERE disabled_at IS NULL AND deleted_at IS NULL
          AND failing_since <= business_now() - ${failingDays} * interval '24 hours'
        RETURNING id, disabled_by, description, NULL::bigint AS delivery_id),
      ${afterSwitchingOffSql}`,
    ),
  )
}
