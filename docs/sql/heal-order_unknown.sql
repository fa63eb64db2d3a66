WITH judged AS (
  SELECT a.id, a.times, (
    SELECT CASE WHEN o.status = 'refunded' THEN 'order_refunded' ELSE 'order_paid' END FROM orders o
    WHERE o.out_trade_no = a.subject AND o.status IN ('paid', 'refunded')
    AND o.transaction_id = a.detail ->> 'transaction_id' AND NOT EXISTS (
      SELECT 1 FROM notifications n WHERE n.out_trade_no = a.subject
      AND n.outcome IN ('mismatch', 'order_unknown', 'second_transaction')
      AND n.payload ->> 'transaction_id' <> o.transaction_id)) AS how FROM (
    SELECT * FROM alerts WHERE kind = $1 AND resolved_at IS NULL ORDER BY random() LIMIT $2) a
),
healed AS (
  UPDATE alerts SET resolved_at = business_now(), resolution = $3 || judged.how
  FROM judged
  WHERE alerts.id = judged.id AND judged.how IS NOT NULL AND alerts.resolved_at IS NULL AND alerts.times = judged.times
  RETURNING alerts.subject
)
SELECT subject FROM healed
