WITH locked AS (
  SELECT w.*, s.seq, s.expires_at AS expires_before, date_trunc('milliseconds', business_now()) AS effective_at
  FROM (
    SELECT user_id, $1::grant_kind AS kind, NULL::bigint AS order_id, NULL::bigint AS refund_id, operator_id,
    serial_number, reason, NULL::text AS plan_code, NULL::text AS plan_name, days, ARRAY(SELECT jsonb_array_elements_text((SELECT value FROM settings WHERE key = $2))) AS features,
    NULL::text AS platform_host
    FROM (SELECT $3::uuid AS user_id, $4::uuid AS operator_id, NULL::text AS serial_number,
      $5::text AS reason, $6::int AS days) given) w JOIN subscriptions s ON s.user_id = w.user_id FOR UPDATE OF s
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
)
SELECT seq FROM granted
