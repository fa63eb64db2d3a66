WITH target AS (
  SELECT id, status, transaction_id FROM orders WHERE out_trade_no = $1 FOR UPDATE
),
moved AS (
  UPDATE orders o SET status = $2::order_status,
  prepay_id = $3, prepay_expires_at = business_now() + interval '2 hours', prepay_leased_until = NULL, prepay_failure = NULL
  FROM target t WHERE o.id = t.id AND t.status = ANY($4::order_status[])
  RETURNING o.*, t.status AS from_status
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $5, from_status, status, $6, $7, $8::uuid,
  jsonb_build_object('platform_request_id', $9::text)
  FROM moved
),
follow_up AS (
  SELECT (graphile_worker.add_job($10, json_build_object('outTradeNo',out_trade_no,'attempt',$11::int), run_at => (business_now() + interval '5 seconds' - (business_now() - now())), job_key => 'sweep:' || out_trade_no)).id FROM moved
)
SELECT answer.* FROM (SELECT id FROM moved) answer
WHERE (SELECT count(*) FROM follow_up) >= 0
