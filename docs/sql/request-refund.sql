WITH target AS (
  SELECT o.id, o.status AS from_status, o.status, o.refund_reserved_fen, (o.refund_reserved_fen + o.second_refund_reserved_fen) AS all_reserved_fen FROM orders o
  WHERE out_trade_no = $1 AND o.status = 'paid' AND NOT o.parked AND o.paid_at > business_now() - interval '365 days' FOR UPDATE
),
agreed AS (
  SELECT * FROM target WHERE refund_reserved_fen = coalesce($2::int, refund_reserved_fen)
),
refund AS (
  INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, note, keep_days, requested_by, status, decided_at)
  SELECT $3, id, $4, $5, $6, $7, $8::uuid,
  (CASE WHEN small THEN 'approved' ELSE 'requested' END)::refund_status, CASE WHEN small THEN business_now() END
  FROM agreed, LATERAL (
    SELECT all_reserved_fen + $9 <= ((SELECT value FROM settings WHERE key = $10))::int AS small) rule
  WHERE small OR NOT EXISTS (
    SELECT 1 FROM operator_changes c WHERE c.operator_id = $11::uuid AND c.counts_at > business_now())
  RETURNING out_refund_no, order_id, amount_fen, status
),
noted AS (
  SELECT t.id, t.from_status, t.status, r.out_refund_no, r.amount_fen FROM target t JOIN refund r ON r.order_id = t.id
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $12, from_status, status, $13, $14, $15::uuid,
  jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen)
  FROM noted
),
audited AS (
  INSERT INTO audit_entries (operator_id, action, subject_type, subject_id, before, after, address, request_id)
  SELECT $16::uuid, $17, $18, $19, $20::jsonb,
  $21::jsonb, $22, $23
  FROM refund
),
tracking AS (
  SELECT (graphile_worker.add_job($24, json_build_object('outRefundNo',out_refund_no,'attempt',$25::int), run_at => now(), job_key => 'refund:' || out_refund_no)).id FROM refund WHERE status = 'approved'
)
SELECT answer.* FROM (SELECT out_refund_no AS "outRefundNo", status FROM refund) answer
WHERE (SELECT count(*) FROM tracking) >= 0
