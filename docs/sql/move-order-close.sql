WITH target AS (
  SELECT id, status, transaction_id FROM orders WHERE out_trade_no = $1 FOR UPDATE
),
moved AS (
  UPDATE orders o SET status = $2::order_status, closed_at = business_now(), close_reason = $3::close_reason, prepay_leased_until = NULL
  FROM target t WHERE o.id = t.id AND t.status = ANY($4::order_status[])
  RETURNING o.*, t.status AS from_status
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $5, from_status, status, $6, $7, $8::uuid,
  '{}'::jsonb
  FROM moved
)
SELECT id FROM moved
