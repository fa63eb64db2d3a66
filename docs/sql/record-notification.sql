WITH inbox AS (
  INSERT INTO notifications (id, event_type, serial, headers, body, payload, outcome, out_trade_no, detail, deliveries)
  VALUES ($1, $2, $3,
    $4::jsonb, $5::bytea,
    $6::jsonb, ($7::text)::notification_outcome, $8,
    $9::jsonb, $10)
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
  SELECT $11, ($12::text)::notification_outcome, $13::jsonb, $14::boolean FROM inbox
  WHERE $15::boolean
  OR (SELECT count(*) FROM notification_outcomes WHERE notification_id = $16) < $17
)
SELECT 1 AS done
