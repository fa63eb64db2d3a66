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
),
inbox AS (
  INSERT INTO notifications (id, event_type, serial, headers, body, payload, outcome, out_trade_no, detail, deliveries)
  VALUES ($17, $18, $19,
    $20::jsonb, $21::bytea,
    $22::jsonb, ($23::text)::notification_outcome, $24,
    $25::jsonb, $26)
  ON CONFLICT (id) DO UPDATE SET
  deliveries = notifications.deliveries + excluded.deliveries,
  last_at = CASE WHEN excluded.deliveries = 0 THEN notifications.last_at ELSE business_now() END,
  payload = CASE WHEN notifications.outcome = 'unreadable' THEN excluded.payload ELSE notifications.payload END,
  out_trade_no = CASE WHEN notifications.outcome = 'unreadable' THEN excluded.out_trade_no ELSE notifications.out_trade_no END,
  outcome = CASE WHEN notifications.outcome IN ('applied', 'already_paid', 'ignored') THEN notifications.outcome ELSE excluded.outcome END,
  detail = CASE WHEN notifications.outcome IN ('applied', 'already_paid', 'ignored') THEN notifications.detail ELSE excluded.detail END
  RETURNING id
),
kept_outcome AS (
  INSERT INTO notification_outcomes (notification_id, outcome, detail, replayed)
  SELECT $27, ($28::text)::notification_outcome, $29::jsonb, $30::boolean FROM inbox
  WHERE $31::boolean
  OR (SELECT count(*) FROM notification_outcomes WHERE notification_id = $32) < $33
)
SELECT 1 AS done
