WITH parked AS (
  UPDATE orders SET parked = true, park_reason = $1 WHERE out_trade_no = $2 AND NOT parked
  RETURNING id, status AS from_status, status, park_reason
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $3, from_status, status, $4, $5, $6::uuid,
  jsonb_build_object('reason', park_reason)
  FROM parked
)
SELECT id FROM parked
