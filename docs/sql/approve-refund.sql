WITH refund AS (
  UPDATE refunds SET status = $1::refund_status, decided_at = business_now(), approved_by = $2::uuid
  WHERE out_refund_no = $3 AND status = ANY($4::refund_status[])
  RETURNING id, out_refund_no, order_id, amount_fen, keep_days
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $5, from_status, status, $6, $7, $8::uuid,
  jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen)
  FROM (
    SELECT o.id, o.status AS from_status, o.status, moved.out_refund_no, moved.amount_fen
    FROM refund moved JOIN orders o ON o.id = moved.order_id) standing
),
audited AS (
  INSERT INTO audit_entries (operator_id, action, subject_type, subject_id, before, after, address, request_id)
  SELECT $9::uuid, $10, $11, $12, $13::jsonb,
  $14::jsonb, $15, $16
  FROM refund
),
tracking AS (
  SELECT (graphile_worker.add_job($17, json_build_object('outRefundNo',out_refund_no,'attempt',$18::int), run_at => now(), job_key => 'refund:' || out_refund_no)).id FROM refund
)
SELECT answer.* FROM (SELECT id FROM refund) answer
WHERE (SELECT count(*) FROM tracking) >= 0
