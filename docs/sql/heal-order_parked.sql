WITH judged AS (
  SELECT a.id, a.times, (SELECT $1::text FROM orders o WHERE o.out_trade_no = a.subject AND NOT (o.parked AND (o.park_reason = $2) = $3) LIMIT 1) AS how FROM (
    SELECT * FROM alerts WHERE kind = $4 AND resolved_at IS NULL ORDER BY random() LIMIT $5) a
),
healed AS (
  UPDATE alerts SET resolved_at = business_now(), resolution = $6 || judged.how
  FROM judged
  WHERE alerts.id = judged.id AND judged.how IS NOT NULL AND alerts.resolved_at IS NULL AND alerts.times = judged.times
  RETURNING alerts.subject
)
SELECT subject FROM healed
