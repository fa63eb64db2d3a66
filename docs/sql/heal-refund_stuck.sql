WITH judged AS (
  SELECT a.id, a.times, (
    SELECT CASE r.status WHEN 'succeeded' THEN 'refund_succeeded' WHEN 'processing' THEN 'refund_accepted'
    ELSE 'refund_ended' END
    FROM refunds r WHERE r.out_refund_no = a.subject AND (r.status NOT IN ('requested', 'approved', 'processing', 'abnormal') OR (r.status = 'processing' AND r.failure IS NULL))) AS how FROM (
    SELECT * FROM alerts WHERE kind = $1 AND resolved_at IS NULL ORDER BY random() LIMIT $2) a
),
healed AS (
  UPDATE alerts SET resolved_at = business_now(), resolution = $3 || judged.how
  FROM judged
  WHERE alerts.id = judged.id AND judged.how IS NOT NULL AND alerts.resolved_at IS NULL AND alerts.times = judged.times
  RETURNING alerts.subject
)
SELECT subject FROM healed
