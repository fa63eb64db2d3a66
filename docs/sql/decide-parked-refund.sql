WITH target AS (
  SELECT id, status, park_reason FROM orders WHERE out_trade_no = $1 AND parked FOR UPDATE
),
unparked AS (
  UPDATE orders o SET parked = $2::boolean, park_reason = $3::text
  FROM target t WHERE o.id = t.id AND t.park_reason = $4 AND o.status = 'paid' AND NOT EXISTS (
    SELECT 1 FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase') AND o.refund_reserved_fen = 0 AND
  (o.refund_reserved_fen + o.second_refund_reserved_fen) + o.amount_fen <= ((SELECT value FROM settings WHERE key = $5))::int
  RETURNING o.*, t.status AS from_status
),
locked AS (
  SELECT w.*, s.seq, s.expires_at AS expires_before, date_trunc('milliseconds', business_now()) AS effective_at
  FROM (
    SELECT user_id, 'purchase'::grant_kind AS kind, id AS order_id, NULL::bigint AS refund_id, NULL::uuid AS operator_id,
    NULL::text AS serial_number, NULL::text AS reason, plan_code, plan_name, duration_days AS days, features, platform_host
    FROM (SELECT * FROM unparked WHERE false) nothing) w JOIN subscriptions s ON s.user_id = w.user_id FOR UPDATE OF s
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
returned AS (
  INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, keep_days, requested_by, status, decided_at)
  SELECT $6, id, amount_fen, $7, false, $8::uuid, 'approved', business_now() FROM unparked
  RETURNING out_refund_no
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $9, from_status, status, $10, $11, $12::uuid,
  $13::jsonb
  FROM unparked
),
audited AS (
  INSERT INTO audit_entries (operator_id, action, subject_type, subject_id, before, after, address, request_id)
  SELECT $14::uuid, $15, $16, $17, $18::jsonb,
  $19::jsonb, $20, $21
  FROM unparked
),
settled AS (
  UPDATE alerts SET resolved_at = business_now(), resolved_by = $22::uuid, resolution = $23,
  owner_id = coalesce(owner_id, $24::uuid)
  WHERE kind = $25 AND resolved_at IS NULL AND subject IN (SELECT out_trade_no FROM unparked)
  RETURNING id
),
refund_job AS (
  SELECT (graphile_worker.add_job($26, json_build_object('outRefundNo',out_refund_no,'attempt',$27::int), run_at => now(), job_key => 'refund:' || out_refund_no)).id FROM returned
),
resumed_refunds AS (
  SELECT (graphile_worker.add_job($28, json_build_object('outRefundNo',out_refund_no,'attempt',$29::int), run_at => now(), job_key => 'refund:' || out_refund_no)).id FROM (
    SELECT r.out_refund_no FROM refunds r JOIN unparked ON r.order_id = unparked.id
    WHERE r.status IN ('approved', 'processing')) resumed
),
sweep AS (
  SELECT (graphile_worker.add_job($30, json_build_object('outTradeNo',out_trade_no,'attempt',$31::int), run_at => now(), job_key => 'sweep:' || out_trade_no)).id FROM unparked WHERE NOT parked AND unparked.status IN ('created', 'prepay')
),
follow_up AS (
  SELECT (graphile_worker.add_job($32, json_build_object('outTradeNo',out_trade_no), run_at => now(), job_key => NULL)).id FROM unparked WHERE NOT parked AND NOT unparked.status IN ('created', 'prepay')
)
SELECT answer.* FROM (SELECT id FROM unparked) answer
WHERE (SELECT count(*) FROM refund_job) + (SELECT count(*) FROM resumed_refunds) + (SELECT count(*) FROM sweep) + (SELECT count(*) FROM follow_up) >= 0
