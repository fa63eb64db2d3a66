WITH target AS (
  SELECT id, status, transaction_id FROM orders WHERE out_trade_no = $1 FOR UPDATE
),
moved AS (
  UPDATE orders o SET status = $2::order_status,
  transaction_id = $3, trade_type = $4, bank_type = $5,
  paid_at = $6::timestamptz, confirmed_by = $7::confirmed_by, confirmed_at = business_now(),
  payer_differs = $8::boolean, late = (t.status = 'closed' AND $9::timestamptz > o.expires_at), park_reason = (CASE
    WHEN $10::boolean THEN 'refunded_elsewhere'
    WHEN (t.status = 'closed' AND $11::timestamptz > o.expires_at) AND (SELECT value FROM settings WHERE key = $12) = '"ask"'::jsonb THEN 'late_payment' END), parked = (CASE
    WHEN $13::boolean THEN 'refunded_elsewhere'
    WHEN (t.status = 'closed' AND $14::timestamptz > o.expires_at) AND (SELECT value FROM settings WHERE key = $15) = '"ask"'::jsonb THEN 'late_payment' END) IS NOT NULL
  FROM target t WHERE o.id = t.id AND t.status = ANY($16::order_status[])
  RETURNING o.*, t.status AS from_status
),
locked AS (
  SELECT w.*, s.seq, s.expires_at AS expires_before, date_trunc('milliseconds', business_now()) AS effective_at
  FROM (
    SELECT user_id, 'purchase'::grant_kind AS kind, id AS order_id, NULL::bigint AS refund_id, NULL::uuid AS operator_id,
    NULL::text AS serial_number, NULL::text AS reason, plan_code, plan_name, duration_days AS days, features, platform_host
    FROM moved WHERE NOT parked AND NOT (late AND (SELECT value FROM settings WHERE key = $17) = '"refund"'::jsonb)) w JOIN subscriptions s ON s.user_id = w.user_id FOR UPDATE OF s
),
granted AS (
  INSERT INTO grants (user_id, seq, previous_seq, kind, order_id, refund_id, operator_id, serial_number,
    reason, plan_code, plan_name, days, features, effective_at, expires_before, expires_after, platform_host)
  SELECT user_id, seq + 1, nullif(seq, 0), kind, order_id, refund_id, operator_id, serial_number,
  reason, plan_code, plan_name, days, features, effective_at, expires_before,
  greatest(effective_at, greatest(effective_at, expires_before) + days * interval '24 hours'), platform_host
  FROM locked
  RETURNING user_id, seq, days, features, effective_at, expires_after
),
projected AS (
  UPDATE subscriptions s SET seq = g.seq, expires_at = g.expires_after,
  feature_expires_at = s.feature_expires_at || coalesce((
      SELECT jsonb_object_agg(feature, greatest(g.effective_at, greatest(g.effective_at, (s.feature_expires_at ->> feature)::timestamptz) + g.days * interval '24 hours'))
      FROM unnest(g.features) feature), '{}')
  FROM granted g WHERE s.user_id = g.user_id
  RETURNING s.user_id
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $18, from_status, status, $19, $20, $21::uuid,
  jsonb_build_object('transaction_id', transaction_id, 'late', late, 'parked', parked)
  FROM moved
),
returned AS (
  INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, keep_days, requested_by, status, decided_at)
  SELECT $22, id, amount_fen, $23, false, $24::uuid, 'approved', business_now() FROM moved WHERE NOT parked AND (late AND (SELECT value FROM settings WHERE key = $25) = '"refund"'::jsonb)
  RETURNING out_refund_no
),
refund_job AS (
  SELECT (graphile_worker.add_job($26, json_build_object('outRefundNo',out_refund_no,'attempt',$27::int), run_at => now(), job_key => 'refund:' || out_refund_no)).id FROM returned
),
follow_up AS (
  SELECT (graphile_worker.add_job($28, json_build_object('outTradeNo',out_trade_no), run_at => now(), job_key => NULL)).id FROM moved
)
SELECT answer.* FROM (SELECT
  CASE WHEN EXISTS (SELECT 1 FROM moved) THEN 'applied'
  WHEN (SELECT transaction_id FROM target) = $29 THEN 'already_paid'
  ELSE 'second_transaction' END AS outcome, business_now() AS now) answer
WHERE (SELECT count(*) FROM refund_job) + (SELECT count(*) FROM follow_up) >= 0
