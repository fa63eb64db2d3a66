-- What others read: docs/reporting.md names each view and each column, and a test compares the two. Names and types stay;
-- a column is added at the end. Nothing here holds an openid, a nickname, an address or a text that somebody wrote about a
-- person. A view reads with the rights of its owner, so that who reads it needs none on the tables behind it; the role that
-- may read is made by `db:migrate`, since roles belong to the whole server.
CREATE SCHEMA IF NOT EXISTS "reporting";

CREATE VIEW "reporting"."orders" AS
  SELECT out_trade_no, user_id, status::text AS status, channel::text AS channel, plan_code, plan_name, duration_days, features,
    amount_fen, refunded_fen, currency, created_at, (created_at AT TIME ZONE 'Asia/Shanghai')::date AS created_day, expires_at,
    paid_at, (paid_at AT TIME ZONE 'Asia/Shanghai')::date AS paid_day, confirmed_by::text AS confirmed_by, late, parked,
    closed_at, close_reason::text AS close_reason, transaction_id, trade_type, imported
  FROM orders WHERE import_undone_at IS NULL;

CREATE VIEW "reporting"."refunds" AS
  SELECT r.out_refund_no, o.out_trade_no, o.user_id, o.channel::text AS channel, r.amount_fen, r.reason_code,
    r.status::text AS status, r.keep_days, r.second_payment_id IS NOT NULL AS of_second_payment, r.created_at,
    (r.created_at AT TIME ZONE 'Asia/Shanghai')::date AS created_day, r.submitted_at, r.succeeded_at,
    (r.succeeded_at AT TIME ZONE 'Asia/Shanghai')::date AS succeeded_day, o.imported
  FROM refunds r JOIN orders o ON o.id = r.order_id;

CREATE VIEW "reporting"."ledger_entries" AS
  SELECT g.user_id, g.seq, g.kind::text AS kind, g.days, g.features, g.effective_at, g.expires_before, g.expires_after,
    o.out_trade_no, r.out_refund_no, g.serial_number, g.plan_code, g.plan_name, g.created_at,
    (g.created_at AT TIME ZONE 'Asia/Shanghai')::date AS created_day
  FROM grants g LEFT JOIN orders o ON o.id = g.order_id LEFT JOIN refunds r ON r.id = g.refund_id;

CREATE VIEW "reporting"."subscriptions" AS
  SELECT user_id, expires_at, (expires_at AT TIME ZONE 'Asia/Shanghai')::date AS expires_day,
    expires_at IS NOT NULL AND expires_at > business_now() AS is_active,
    coalesce(greatest(0, ceil(extract(epoch FROM expires_at - business_now()) / 86400)), 0)::int AS remaining_days,
    ARRAY(SELECT f.key FROM jsonb_each_text(feature_expires_at) f WHERE f.value::timestamptz > business_now() ORDER BY f.key) AS features
  FROM subscriptions;

CREATE VIEW "reporting"."users" AS
  SELECT id AS user_id, created_at, (created_at AT TIME ZONE 'Asia/Shanghai')::date AS created_day, disabled_at, erased_at
  FROM users;

CREATE VIEW "reporting"."payments_by_day" AS
  SELECT (paid_at AT TIME ZONE 'Asia/Shanghai')::date AS day, channel::text AS channel, plan_code, count(*) AS payments,
    sum(amount_fen) AS amount_fen
  FROM orders WHERE paid_at IS NOT NULL AND NOT imported GROUP BY 1, channel, plan_code;

CREATE VIEW "reporting"."refunds_by_day" AS
  SELECT (r.succeeded_at AT TIME ZONE 'Asia/Shanghai')::date AS day, o.channel::text AS channel, count(*) AS refunds,
    sum(r.amount_fen) AS amount_fen
  FROM refunds r JOIN orders o ON o.id = r.order_id
  WHERE r.succeeded_at IS NOT NULL AND r.second_payment_id IS NULL AND NOT o.imported GROUP BY 1, o.channel;

-- Of WeChat Pay what the last complete trade bill of the day names, of virtual payment what was settled on the day.
CREATE VIEW "reporting"."fees_by_day" AS
  SELECT b.bill_date AS day, 'jsapi'::text AS channel, round(s.fee_hundred_thousandths / 1000.0)::bigint AS fee_fen
  FROM bills b JOIN bill_fee_sums s ON s.bill_id = b.id
  WHERE b.kind = 'trade' AND b.row_count IS NOT NULL AND NOT EXISTS (
    SELECT FROM bills later WHERE later.bill_date = b.bill_date AND later.kind = 'trade' AND later.row_count IS NOT NULL
      AND (later.fetched_at, later.id) > (b.fetched_at, b.id))
  UNION ALL
  SELECT (settled_at AT TIME ZONE 'Asia/Shanghai')::date, 'virtual', sum(fee_fen)
  FROM order_attempts WHERE fee_fen IS NOT NULL AND settled_at IS NOT NULL GROUP BY 1;

CREATE VIEW "reporting"."reconciliation_days" AS
  SELECT date AS day, state::text AS state, order_fen, ledger_fen, bill_fen, matched_at, closed_at FROM reconciliation_days;

CREATE VIEW "reporting"."plans" AS
  SELECT code AS plan_code, name AS plan_name, duration_days, price_fen, list_price_fen, features, on_sale,
    virtual_product_id, created_at, updated_at
  FROM plans;

CREATE VIEW "reporting"."devices" AS
  SELECT serial_number, model, firmware_version, inventory, created_at,
    (created_at AT TIME ZONE 'Asia/Shanghai')::date AS created_day, disabled_at
  FROM devices;

CREATE VIEW "reporting"."bindings" AS
  SELECT serial_number, user_id, proven, bound_at, (bound_at AT TIME ZONE 'Asia/Shanghai')::date AS bound_day, unbound_at,
    end_reason
  FROM bindings;
