WITH refund AS (
  UPDATE refunds SET status = $1::refund_status,
  succeeded_at = coalesce($2::timestamptz, business_now()), platform_refund_id = coalesce($3, platform_refund_id),
  decided_at = coalesce(decided_at, business_now()), failure = NULL, held = false,
  contradiction_decided_at = CASE WHEN contradicted_by IS NOT NULL THEN coalesce(contradiction_decided_at, business_now()) END
  WHERE out_refund_no = $4 AND status = ANY($5::refund_status[])
  RETURNING id, out_refund_no, order_id, amount_fen, keep_days
),
target AS (
  SELECT id, status FROM orders WHERE id = (SELECT order_id FROM refund) FOR UPDATE
),
moved AS (
  UPDATE orders o SET refunded_fen = refunded_fen + (SELECT amount_fen FROM refund),
  status = CASE WHEN refunded_fen + (SELECT amount_fen FROM refund) = amount_fen THEN $6::order_status ELSE o.status END
  FROM target t WHERE o.id = t.id AND t.status = ANY($7::order_status[])
  RETURNING o.*, t.status AS from_status
),
revoked AS (
  SELECT m.id, m.from_status, m.status, m.user_id, m.features, r.id AS refund_id, r.out_refund_no, r.amount_fen AS refund_fen,
  CASE WHEN r.keep_days THEN 0 ELSE
  greatest(0, least(coalesce((
          SELECT greatest(0, least(
              own.days - (
                SELECT coalesce(-sum(g.days), 0)::int FROM grants g JOIN refunds r ON r.id = g.refund_id
                WHERE r.order_id = m.id AND g.kind = 'refund_revocation'),
              ceil(extract(epoch FROM s.expires_at - greatest(business_now(), last.effective_at)) / 86400)::int - (
                SELECT coalesce(sum(later.days), 0)::int FROM grants later WHERE later.user_id = own.user_id AND later.seq > own.seq
                AND (later.days > 0 OR later.refund_id IN (
                    SELECT r.id FROM refunds r JOIN grants bought ON bought.order_id = r.order_id AND bought.kind = 'purchase'
                    WHERE bought.user_id = own.user_id AND bought.seq > own.seq)))))
          FROM grants own JOIN subscriptions s ON s.user_id = own.user_id
          JOIN grants last ON last.user_id = s.user_id AND last.seq = s.seq
          WHERE own.order_id = m.id AND own.kind = 'purchase'), 0),
      floor(m.duration_days::bigint * m.refunded_fen / m.amount_fen)::int - (
        SELECT coalesce(-sum(g.days), 0)::int FROM grants g JOIN refunds r ON r.id = g.refund_id
        WHERE r.order_id = m.id AND g.kind = 'refund_revocation'))) END AS days_taken
  FROM moved m JOIN refund r ON r.order_id = m.id
),
locked AS (
  SELECT w.*, s.seq, s.expires_at AS expires_before, date_trunc('milliseconds', business_now()) AS effective_at
  FROM (
    SELECT user_id, 'refund_revocation'::grant_kind AS kind, NULL::bigint AS order_id, refund_id, NULL::uuid AS operator_id,
    NULL::text AS serial_number, NULL::text AS reason, NULL::text AS plan_code, NULL::text AS plan_name,
    -days_taken AS days, features, NULL::text AS platform_host
    FROM revoked WHERE days_taken > 0) w JOIN subscriptions s ON s.user_id = w.user_id FOR UPDATE OF s
),
granted AS (
  INSERT INTO grants (user_id, seq, previous_seq, kind, order_id, refund_id, operator_id, serial_number,
    reason, plan_code, plan_name, days, features, effective_at, expires_before, expires_after, platform_host)
  SELECT user_id, seq + 1, nullif(seq, 0), kind, order_id, refund_id, operator_id, serial_number,
  reason, plan_code, plan_name, days, features, effective_at, expires_before,
  greatest(effective_at, greatest(effective_at, expires_before) + days * interval '24 hours'), platform_host
  FROM locked
  RETURNING user_id, seq, days, features, effective_at, expires_after
),
projected AS (
  UPDATE subscriptions s SET seq = g.seq, expires_at = g.expires_after,
  feature_expires_at = s.feature_expires_at || coalesce((
      SELECT jsonb_object_agg(feature, greatest(g.effective_at, greatest(g.effective_at, (s.feature_expires_at ->> feature)::timestamptz) + g.days * interval '24 hours'))
      FROM unnest(g.features) feature), '{}')
  FROM granted g WHERE s.user_id = g.user_id
  RETURNING s.user_id
),
recorded AS (
  INSERT INTO order_events (order_id, kind, from_status, to_status, channel, request_id, operator_id, detail)
  SELECT id, $8, from_status, status, $9, $10, $11::uuid,
  jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', refund_fen, 'days_taken', days_taken)
  FROM revoked
)
SELECT status FROM revoked
