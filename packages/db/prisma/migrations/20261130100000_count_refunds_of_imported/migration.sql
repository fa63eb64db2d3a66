-- A refund of an imported order is money that leaves our account: the view counts it, as the dashboard, the month, its closing
-- and its pack do (docs/import.md, docs/reporting.md).
CREATE OR REPLACE VIEW "reporting"."refunds_by_day" AS
  SELECT (r.succeeded_at AT TIME ZONE 'Asia/Shanghai')::date AS day, o.channel::text AS channel, count(*) AS refunds,
    sum(r.amount_fen) AS amount_fen
  FROM refunds r JOIN orders o ON o.id = r.order_id
  WHERE r.succeeded_at IS NOT NULL AND r.second_payment_id IS NULL GROUP BY 1, o.channel;
