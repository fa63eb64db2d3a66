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
inbox AS (
  INSERT INTO notifications (id, event_type, serial, headers, body, payload, outcome, out_trade_no, detail, deliveries)
  VALUES ($10, $11, $12,
    $13::jsonb, $14::bytea,
    $15::jsonb, ($16::text)::notification_outcome, $17,
    $18::jsonb, $19)
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
  SELECT $20, ($21::text)::notification_outcome, $22::jsonb, $23::boolean FROM inbox
  WHERE $24::boolean
  OR (SELECT count(*) FROM notification_outcomes WHERE notification_id = $25) < $26
)
SELECT 1 AS done
