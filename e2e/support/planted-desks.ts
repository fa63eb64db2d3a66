import { ask, askOne } from './database.ts'

/** As if the bills of a day had been compared, with one order that they do not know: no worker runs beside the journeys. */
export const plantReconciledDay = (date: string, outTradeNo: string) =>
  ask(
    `WITH day AS (
       INSERT INTO reconciliation_days (date, state, order_fen, ledger_fen, bill_fen, matched_at)
       VALUES ($1::date, 'matched', 2900, 2900, 0, business_now()) RETURNING date)
     INSERT INTO reconciliation_differences (date, kind, subject, out_trade_no, ours, suggested_action, bill_gap_fen)
     SELECT date, 'ours_only', $2, $2, '{"status": "paid", "amount_fen": 2900}', 'ask_platform', -2900 FROM day`,
    [date, outTradeNo],
  )

/** Two days before anybody's: their reconciliation belongs to one test alone. */
export const untouchedDays = () =>
  askOne<{ openDay: string; closableDay: string }>(`
    SELECT (first - 1)::text AS "openDay", (first - 2)::text AS "closableDay"
    FROM (SELECT least(min(date), '2020-01-01') AS first FROM reconciliation_days) days`)

/** A month long before anybody's, every day of which is closed. */
export const closableMonth = '2015-03'
export const plantClosedMonth = (month = closableMonth) =>
  ask(`
    INSERT INTO reconciliation_days (date, state, matched_at, closed_by, closed_at)
    SELECT day::date, 'closed', business_now(), (SELECT id FROM operators LIMIT 1), business_now()
    FROM generate_series('${month}-01'::date, '${month}-01'::date + interval '1 month' - interval '1 day', '1 day') day
    ON CONFLICT DO NOTHING`)

/** As if a job had failed three times and waited for its next turn. */
export const plantFailedJob = (key: string) =>
  ask(`
    SELECT graphile_worker.add_job('sweep_order', '{}', job_key => '${key}');
    UPDATE graphile_worker._private_jobs SET attempts = 3, last_error = 'the platform did not answer',
      run_at = now() + interval '1 hour' WHERE key = '${key}'`)

/** How often a job was tried, and whether it is due now. */
export const storedJob = (key: string): Promise<{ attempts: number; due: boolean }> =>
  askOne('SELECT attempts::int, run_at <= now() AS due FROM graphile_worker.jobs WHERE key = $1', key)

type Waiting = { outTradeNo: string; askerEmail: string; closableDay: string }

/**
 * What waits at the desks for whoever may decide it: refunds and days for a paid order, its shipping information and
 * an alert about it; and a day whose bills leave nothing open.
 */
export async function plantAtDesks({ outTradeNo, askerEmail, closableDay }: Waiting) {
  const numbered = (head: string) => head + outTradeNo.slice(2)
  const [requested, abnormal, contradicted] = [numbered('R1'), numbered('R2'), numbered('R3')]
  const bought = `(SELECT id FROM orders WHERE out_trade_no = '${outTradeNo}')`
  const asker = `(SELECT id FROM operators WHERE email = '${askerEmail}')`
  await ask(`
    INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, status, requested_by, decided_at) VALUES
      ('${requested}', ${bought}, 100, 'other', 'requested', ${asker}, NULL),
      ('${abnormal}', ${bought}, 100, 'other', 'abnormal', ${asker}, business_now());
    INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, status, requested_by, decided_at, held,
        contradicted_by, contradicted_at)
      VALUES ('${contradicted}', ${bought}, 100, 'other', 'closed', ${asker}, business_now(), true, 'succeeded', business_now());
    INSERT INTO grant_requests (user_id, days, reason, requested_by)
      SELECT user_id, 60, '设备维修期间的补偿', ${asker} FROM orders WHERE id = ${bought};
    INSERT INTO shipping_uploads (order_id, state, last_code) VALUES (${bought}, 'failed', '10060001');
    INSERT INTO alerts (kind, subject) VALUES ('payment_mismatch', '${outTradeNo}');
    INSERT INTO reconciliation_days (date, state, order_fen, ledger_fen, bill_fen, matched_at)
      VALUES ('${closableDay}', 'matched', 2900, 2900, 2900, business_now())`)
  return { requested, abnormal, contradicted }
}

type Waits = { email: string; kind: 'plan' | 'setting'; subject: string; before: object; after: object }

/** As if somebody had asked for a change that takes a second person; one waits for each thing at a time. */
export const plantWaiting = ({ email, kind, subject, before, after }: Waits) =>
  ask(
    `INSERT INTO approval_requests (kind, subject, before, after, requested_by)
     SELECT $1, $2, $3::jsonb, $4::jsonb, id FROM operators WHERE email = $5 ON CONFLICT DO NOTHING`,
    [kind, subject, JSON.stringify(before), JSON.stringify(after), email],
  )
