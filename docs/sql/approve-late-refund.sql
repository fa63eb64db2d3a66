WITH refund AS (
  UPDATE refunds SET status = $1::refund_status, decided_at = business_now(), approved_by = $2::uuid
  WHERE out_refund_no = $3 AND status = ANY($4::refund_status[])
  RETURNING id, out_refund_no, order_id, amount_fen, keep_days
),
target AS (
  SELECT id, status, park_reason FROM orders WHERE out_trade_no = $5 AND parked FOR UPDATE
),
unparked AS (
  UPDATE orders o SET parked = $6::boolean, park_reason = $7::text
  FROM target t WHERE o.id = t.id AND t.park_reason = $8 AND EXISTS (SELECT 1 FROM refund)
  RETURNING o.*, t.status AS from_status
),
settled AS (
  UPDATE alerts SET resolved_at = business_now(), resolved_by = $9::uuid, resolution = $10,
  owner_id = coalesce(owner_id, $11::uuid)
  WHERE kind = $12 AND resolved_at IS NULL AND subject IN (SELECT out_trade_no FROM unparked)
  RETURNING id
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $13, from_status, status, $14, $15, $16::uuid,
  jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen)
  FROM (
    SELECT o.id, o.status AS from_status, o.status, moved.out_refund_no, moved.amount_fen
    FROM refund moved JOIN orders o ON o.id = moved.order_id) standing
),
audited AS (
  INSERT INTO audit_entries (operator_id, action, subject_type, subject_id, before, after, address, request_id)
  SELECT $17::uuid, $18, $19, $20, $21::jsonb,
  $22::jsonb, $23, $24
  FROM refund
),
tracking AS (
  SELECT (graphile_worker.add_job($25, json_build_object('outRefundNo',out_refund_no,'attempt',$26::int), run_at => now(), job_key => 'refund:' || out_refund_no)).id FROM refund
)
SELECT answer.* FROM (SELECT id FROM refund) answer
WHERE (SELECT count(*) FROM tracking) >= 0
