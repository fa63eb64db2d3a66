WITH target AS (
  SELECT o.id, o.status AS from_status, o.status, p.id AS payment_id,
  (o.refund_reserved_fen + o.second_refund_reserved_fen) + $1::int <= ((SELECT value FROM settings WHERE key = $2))::int AS small
  FROM orders o JOIN second_payments p ON p.order_id = o.id
  WHERE o.out_trade_no = $3 AND p.transaction_id = $4
  AND o.second_refund_reserved_fen = $5::int
  AND coalesce(p.paid_at, p.recorded_at) > business_now() - interval '365 days'
  FOR UPDATE OF o
),
refund AS (
  INSERT INTO refunds (out_refund_no, order_id, second_payment_id, amount_fen, reason_code, note, keep_days, requested_by, status, decided_at)
  SELECT $6, id, payment_id, $7, $8, $9, true, $10::uuid,
  (CASE WHEN small THEN 'approved' ELSE 'requested' END)::refund_status, CASE WHEN small THEN business_now() END
  FROM target WHERE small OR NOT EXISTS (
    SELECT 1 FROM operator_changes c WHERE c.operator_id = $11::uuid AND c.counts_at > business_now())
  RETURNING out_refund_no, order_id, amount_fen, status
),
noted AS (
  SELECT t.id, t.from_status, t.status, r.out_refund_no, r.amount_fen FROM target t JOIN refund r ON r.order_id = t.id
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $12, from_status, status, $13, $14, $15::uuid,
  jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen, 'transaction_id', $16::text)
  FROM noted
),
audited AS (
  INSERT INTO audit_entries (operator_id, action, subject_type, subject_id, before, after, address, request_id)
  SELECT $17::uuid, $18, $19, $20, $21::jsonb,
  $22::jsonb, $23, $24
  FROM refund
),
tracking AS (
  SELECT (graphile_worker.add_job($25, json_build_object('outRefundNo',out_refund_no,'attempt',$26::int), run_at => now(), job_key => 'refund:' || out_refund_no)).id FROM refund WHERE status = 'approved'
)
SELECT answer.* FROM (
  SELECT r.out_refund_no AS "outRefundNo", r.status, t.small FROM target t LEFT JOIN refund r ON r.order_id = t.id) answer
WHERE (SELECT count(*) FROM tracking) >= 0
