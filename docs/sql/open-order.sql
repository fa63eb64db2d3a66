WITH opened AS (
  INSERT INTO orders (out_trade_no, user_id, plan_code, plan_name, duration_days, features, amount_fen, payer_openid,
    app_id, mch_id, platform_host, idempotency_key, expires_at, prepay_leased_until)
  (SELECT $1, u.id, offer.code, offer.name, offer.duration_days, offer.features, offer.price_fen,
    $2, $3, $4, $5, $6,
    date_trunc('second', business_now()) + offer.ttl_minutes * interval '1 minute', business_now() + interval '6 seconds'
    FROM users u, (
      SELECT code, name, duration_days, features, price_fen, ((SELECT value FROM settings WHERE key = $7))::int AS ttl_minutes
      FROM plans WHERE code = $8 AND on_sale AND price_fen = coalesce($9::int, price_fen)
      AND ((SELECT value FROM settings WHERE key = $10) -> $11 ->> 'allowed')::boolean) offer
    WHERE u.id = $12::uuid AND u.erased_at IS NULL FOR KEY SHARE OF u)
  ON CONFLICT (user_id, idempotency_key) DO NOTHING
  RETURNING *, NULL::order_status AS from_status
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $13, from_status, status, $14, $15, $16::uuid,
  '{}'::jsonb
  FROM opened
),
sweep AS (
  SELECT (graphile_worker.add_job($17, json_build_object('outTradeNo',out_trade_no,'attempt',$18::int), run_at => (expires_at - (business_now() - now())), job_key => 'sweep:' || out_trade_no)).id FROM opened
),
retirement AS (
  SELECT (graphile_worker.add_job($19, json_build_object('userId',user_id,'exceptOutTradeNo',out_trade_no), run_at => now(), job_key => NULL)).id FROM opened WHERE EXISTS (SELECT FROM orders older WHERE older.user_id = opened.user_id AND older.id < opened.id
    AND older.status IN ('created', 'prepay') AND NOT older.parked)
)
SELECT answer.* FROM (SELECT
  out_trade_no AS "outTradeNo", status, plan_code AS "planCode", plan_name AS "planName", amount_fen AS "amountFen",
  payer_openid AS "payerOpenid", prepay_id AS "prepayId", expires_at AS "expiresAt", expires_at <= business_now() AS overdue,
  coalesce(status = 'prepay' AND prepay_expires_at > business_now() + interval '1 minute', false) AS "prepayFresh",
  coalesce(prepay_leased_until > business_now(), false) AS leased, prepay_failure AS "prepayFailure" FROM opened) answer
WHERE (SELECT count(*) FROM sweep) + (SELECT count(*) FROM retirement) >= 0
