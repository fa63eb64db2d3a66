WITH refund AS (
  UPDATE refunds SET status = $1::refund_status,
  succeeded_at = coalesce($2::timestamptz, business_now()), platform_refund_id = coalesce($3, platform_refund_id),
  decided_at = coalesce(decided_at, business_now()), failure = NULL, held = false,
  contradiction_decided_at = CASE WHEN contradicted_by IS NOT NULL THEN coalesce(contradiction_decided_at, business_now()) END
  WHERE out_refund_no = $4 AND status = ANY($5::refund_status[])
  RETURNING id, out_refund_no, order_id, amount_fen, keep_days
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $6, from_status, status, $7, $8, $9::uuid,
  jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen)
  FROM (
    SELECT o.id, o.status AS from_status, o.status, moved.out_refund_no, moved.amount_fen
    FROM refund moved JOIN orders o ON o.id = moved.order_id) standing
)
SELECT o.out_trade_no AS "outTradeNo" FROM refund JOIN orders o ON o.id = refund.order_id
