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
),
second AS (
  INSERT INTO second_payments (order_id, transaction_id, amount_fen, payer, source, paid_at)
  SELECT o.id, $10, $11::int, $12,
  $13::confirmed_by, $14::timestamptz
  FROM orders o WHERE o.out_trade_no = $15 AND o.transaction_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM orders paid WHERE paid.transaction_id = $16)
  ON CONFLICT (transaction_id) DO NOTHING
)
SELECT 1 AS done
