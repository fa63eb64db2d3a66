WITH refund AS (
  UPDATE refunds SET status = $1::refund_status, platform_refund_id = $2, submitted_at = coalesce(submitted_at, business_now()), failure = NULL
  WHERE out_refund_no = $3 AND status = ANY($4::refund_status[])
  RETURNING id, out_refund_no, order_id, amount_fen, keep_days
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $5, from_status, status, $6, $7, $8::uuid,
  jsonb_build_object('out_refund_no', out_refund_no)
  FROM (
    SELECT o.id, o.status AS from_status, o.status, moved.out_refund_no, moved.amount_fen
    FROM refund moved JOIN orders o ON o.id = moved.order_id) standing
)
SELECT id FROM refund
