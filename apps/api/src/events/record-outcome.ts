import { execute, type Pool, Prisma, query } from '@meridian/db'
import { raiseAlertsSql } from '../alerts/write-alert.ts'
import { secondsToNextTry } from './retry-schedule.ts'

const { sql } = Prisma

/** An endpoint with failures and no success for so long is switched off (SPEC §17). */
const failingDays = 5

type Tried = { id: bigint; attempts: number }

/** How a try went. */
export type Outcome = { status: number | null; answer: string | null; error: string | null }

const isSuccess = ({ status }: Outcome) => status !== null && status >= 200 && status < 300

/** Keeps how a try went: of the delivery, and of its endpoint, which is switched off where it is gone or fails for days. */
export async function recordOutcome(pool: Pool, { id, attempts }: Tried, outcome: Outcome): Promise<void> {
  const isDelivered = isSuccess(outcome)
  const next = isDelivered ? null : secondsToNextTry(attempts + 1, Math.random())
  const state = isDelivered ? 'delivered' : next === null || outcome.status === 410 ? 'given_up' : 'waiting'
  const dueIn = state === 'waiting' ? next : null
  const off = outcome.status === 410 ? 'gone' : null
  await execute(
    pool,
    query(
      'record-delivery',
      sql`
      WITH recorded AS (
        UPDATE webhook_deliveries SET attempts = attempts + 1, state = ${state}, claimed_until = NULL,
          next_attempt_at = business_now() + ${dueIn}::float8 * interval '1 second',
          ended_at = CASE WHEN ${state} <> 'waiting' THEN business_now() END, last_status = ${outcome.status}::int,
          last_error = ${outcome.error}::text, last_answer = ${outcome.answer}::text
        WHERE id = ${id} AND state = 'waiting' RETURNING endpoint_id),
      stood AS (
        UPDATE webhook_endpoints e SET
          failing_since = CASE WHEN ${isDelivered} THEN NULL ELSE coalesce(e.failing_since, business_now()) END,
          last_success_at = CASE WHEN ${isDelivered} THEN business_now() ELSE e.last_success_at END,
          disabled_at = CASE WHEN ${off}::text IS NOT NULL OR NOT ${isDelivered}
            AND e.failing_since <= business_now() - ${failingDays} * interval '24 hours' THEN business_now() END,
          disabled_by = CASE WHEN ${off}::text IS NOT NULL THEN ${off}::text WHEN NOT ${isDelivered}
            AND e.failing_since <= business_now() - ${failingDays} * interval '24 hours' THEN 'failures' END
        FROM recorded WHERE e.id = recorded.endpoint_id AND e.disabled_at IS NULL
        RETURNING e.id, e.disabled_by, e.description),
      switched AS (SELECT id, disabled_by, description FROM stood WHERE disabled_by IS NOT NULL),
      given_up AS (
        UPDATE webhook_deliveries d SET state = 'given_up', next_attempt_at = NULL, claimed_until = NULL,
          ended_at = business_now()
        FROM switched WHERE d.endpoint_id = switched.id AND d.state = 'waiting' AND d.id <> ${id})
      ${raiseAlertsSql(
        'endpoint_disabled',
        sql`SELECT id::text AS subject, jsonb_build_object('endpoint', description, 'because', disabled_by) AS detail
          FROM switched`,
      )}`,
    ),
  )
}
