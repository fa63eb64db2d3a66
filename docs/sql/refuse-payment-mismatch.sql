WITH alert AS (
  INSERT INTO alerts (kind, subject, detail) VALUES ($1, $2, $3::jsonb)
  ON CONFLICT (kind, subject) WHERE resolved_at IS NULL
  DO UPDATE SET times = alerts.times + 1, last_at = business_now()
  RETURNING xmax = 0 AS opened
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $4, from_status, status, $5, $6, $7::uuid,
  $8::jsonb
  FROM (SELECT id, status AS from_status, status, created_at FROM orders WHERE out_trade_no = $9) standing, alert WHERE alert.opened
)
SELECT 1 AS done
