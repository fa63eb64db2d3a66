
-- CreateEnum
CREATE TYPE "order_status" AS ENUM ('created', 'prepay', 'paid', 'closed', 'refunded');

-- CreateEnum
CREATE TYPE "confirmed_by" AS ENUM ('notification', 'sync', 'sweep', 'bill', 'admin_sync', 'replay');

-- CreateEnum
CREATE TYPE "close_reason" AS ENUM ('expired', 'cancelled', 'superseded', 'platform_closed', 'operator');

-- CreateEnum
CREATE TYPE "grant_kind" AS ENUM ('purchase', 'admin_grant', 'refund_revocation', 'trial');

-- CreateEnum
CREATE TYPE "refund_status" AS ENUM ('requested', 'approved', 'processing', 'succeeded', 'closed', 'abnormal', 'rejected');

-- CreateEnum
CREATE TYPE "notification_outcome" AS ENUM ('applied', 'already_paid', 'ignored', 'order_unknown', 'mismatch', 'second_transaction', 'deferred');

-- CreateEnum
CREATE TYPE "operator_role" AS ENUM ('viewer', 'operator', 'finance', 'owner');

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "openid" TEXT NOT NULL,
    "nickname" TEXT,
    "avatar_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),
    "erased_at" TIMESTAMPTZ(3),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "token_families" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "token_families_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refresh_tokens" (
    "token_hash" BYTEA NOT NULL,
    "family_id" UUID NOT NULL,
    "predecessor_hash" BYTEA,
    "issued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "plans" (
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "duration_days" INTEGER NOT NULL,
    "price_fen" INTEGER NOT NULL,
    "list_price_fen" INTEGER,
    "features" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "badge" TEXT,
    "sort_order" INTEGER NOT NULL DEFAULT 0,
    "on_sale" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plans_pkey" PRIMARY KEY ("code")
);

-- CreateTable
CREATE TABLE "plan_price_changes" (
    "id" BIGSERIAL NOT NULL,
    "plan_code" TEXT NOT NULL,
    "from_fen" INTEGER NOT NULL,
    "to_fen" INTEGER NOT NULL,
    "operator_id" UUID NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plan_price_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "settings" (
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "setting_changes" (
    "id" BIGSERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,
    "operator_id" UUID NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "setting_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "orders" (
    "id" BIGSERIAL NOT NULL,
    "out_trade_no" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "status" "order_status" NOT NULL DEFAULT 'created',
    "plan_code" TEXT NOT NULL,
    "plan_name" TEXT NOT NULL,
    "duration_days" INTEGER NOT NULL,
    "features" TEXT[],
    "amount_fen" INTEGER NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'CNY',
    "payer_openid" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "mch_id" TEXT NOT NULL,
    "platform_host" TEXT NOT NULL,
    "idempotency_key" TEXT,
    "prepay_id" TEXT,
    "prepay_expires_at" TIMESTAMPTZ(3),
    "prepay_leased_until" TIMESTAMPTZ(3),
    "prepay_failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "transaction_id" TEXT,
    "trade_type" TEXT,
    "bank_type" TEXT,
    "paid_at" TIMESTAMPTZ(3),
    "confirmed_by" "confirmed_by",
    "confirmed_at" TIMESTAMPTZ(3),
    "late" BOOLEAN NOT NULL DEFAULT false,
    "payer_differs" BOOLEAN NOT NULL DEFAULT false,
    "parked" BOOLEAN NOT NULL DEFAULT false,
    "park_reason" TEXT,
    "closed_at" TIMESTAMPTZ(3),
    "close_reason" "close_reason",
    "refunded_fen" INTEGER NOT NULL DEFAULT 0,
    "refund_reserved_fen" INTEGER NOT NULL DEFAULT 0,
    "refund_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "order_events" (
    "id" BIGSERIAL NOT NULL,
    "order_id" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "kind" TEXT NOT NULL,
    "from_status" "order_status",
    "to_status" "order_status",
    "channel" TEXT NOT NULL,
    "request_id" TEXT,
    "operator_id" UUID,
    "detail" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "order_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "user_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3),
    "feature_expires_at" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "grants" (
    "id" BIGSERIAL NOT NULL,
    "user_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "previous_seq" INTEGER,
    "kind" "grant_kind" NOT NULL,
    "order_id" BIGINT,
    "refund_id" BIGINT,
    "operator_id" UUID,
    "serial_number" TEXT,
    "reason" TEXT,
    "plan_code" TEXT,
    "plan_name" TEXT,
    "days" INTEGER NOT NULL,
    "features" TEXT[],
    "effective_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_before" TIMESTAMPTZ(3),
    "expires_after" TIMESTAMPTZ(3) NOT NULL,
    "platform_host" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "grants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refunds" (
    "id" BIGSERIAL NOT NULL,
    "out_refund_no" TEXT NOT NULL,
    "order_id" BIGINT NOT NULL,
    "amount_fen" INTEGER NOT NULL,
    "reason_code" TEXT NOT NULL,
    "note" TEXT,
    "status" "refund_status" NOT NULL DEFAULT 'requested',
    "keep_days" BOOLEAN NOT NULL DEFAULT false,
    "requested_by" UUID,
    "approved_by" UUID,
    "platform_refund_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "succeeded_at" TIMESTAMPTZ(3),

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notifications" (
    "id" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "serial" TEXT NOT NULL,
    "headers" JSONB NOT NULL,
    "body" BYTEA NOT NULL,
    "payload" JSONB NOT NULL,
    "outcome" "notification_outcome" NOT NULL,
    "out_trade_no" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "deliveries" INTEGER NOT NULL DEFAULT 1,
    "first_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alerts" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "times" INTEGER NOT NULL DEFAULT 1,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "alerts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "devices" (
    "serial_number" TEXT NOT NULL,
    "model" TEXT,
    "mac_address" TEXT,
    "firmware_version" TEXT,
    "inventory" BOOLEAN NOT NULL DEFAULT false,
    "sealed_secret" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "devices_pkey" PRIMARY KEY ("serial_number")
);

-- CreateTable
CREATE TABLE "bindings" (
    "id" BIGSERIAL NOT NULL,
    "serial_number" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "nickname" TEXT,
    "proven" BOOLEAN NOT NULL DEFAULT false,
    "bound_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "unbound_at" TIMESTAMPTZ(3),
    "end_reason" TEXT,

    CONSTRAINT "bindings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operators" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" "operator_role" NOT NULL,
    "password_hash" TEXT NOT NULL,
    "must_change_password" BOOLEAN NOT NULL DEFAULT false,
    "password_expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "operators_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operator_sessions" (
    "id" UUID NOT NULL,
    "operator_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "operator_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "operator_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "address" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_openid_key" ON "users"("openid");

-- CreateIndex
CREATE INDEX "token_families_user_id_idx" ON "token_families"("user_id");

-- CreateIndex
CREATE INDEX "refresh_tokens_family_id_idx" ON "refresh_tokens"("family_id");

-- CreateIndex
CREATE INDEX "refresh_tokens_predecessor_hash_idx" ON "refresh_tokens"("predecessor_hash");

-- CreateIndex
CREATE INDEX "plan_price_changes_plan_code_id_idx" ON "plan_price_changes"("plan_code", "id");

-- CreateIndex
CREATE UNIQUE INDEX "setting_changes_key_version_key" ON "setting_changes"("key", "version");

-- CreateIndex
CREATE UNIQUE INDEX "orders_out_trade_no_key" ON "orders"("out_trade_no");

-- CreateIndex
CREATE UNIQUE INDEX "orders_transaction_id_key" ON "orders"("transaction_id");

-- CreateIndex
CREATE INDEX "orders_created_at_id_idx" ON "orders"("created_at", "id");

-- CreateIndex
CREATE INDEX "orders_status_created_at_id_idx" ON "orders"("status", "created_at", "id");

-- CreateIndex
CREATE INDEX "orders_plan_code_created_at_id_idx" ON "orders"("plan_code", "created_at", "id");

-- CreateIndex
CREATE INDEX "orders_user_id_created_at_id_idx" ON "orders"("user_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "orders_amount_fen_id_idx" ON "orders"("amount_fen", "id");

-- CreateIndex
CREATE UNIQUE INDEX "orders_user_id_idempotency_key_key" ON "orders"("user_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "order_events_order_id_id_idx" ON "order_events"("order_id", "id");

-- CreateIndex
CREATE INDEX "subscriptions_expires_at_user_id_idx" ON "subscriptions"("expires_at", "user_id");

-- CreateIndex
CREATE INDEX "grants_order_id_idx" ON "grants"("order_id");

-- CreateIndex
CREATE UNIQUE INDEX "grants_user_id_seq_key" ON "grants"("user_id", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "grants_user_id_seq_expires_after_key" ON "grants"("user_id", "seq", "expires_after");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_out_refund_no_key" ON "refunds"("out_refund_no");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_platform_refund_id_key" ON "refunds"("platform_refund_id");

-- CreateIndex
CREATE INDEX "refunds_order_id_id_idx" ON "refunds"("order_id", "id");

-- CreateIndex
CREATE INDEX "refunds_status_id_idx" ON "refunds"("status", "id");

-- CreateIndex
CREATE INDEX "notifications_first_at_id_idx" ON "notifications"("first_at", "id");

-- CreateIndex
CREATE INDEX "notifications_outcome_first_at_id_idx" ON "notifications"("outcome", "first_at", "id");

-- CreateIndex
CREATE INDEX "notifications_out_trade_no_idx" ON "notifications"("out_trade_no");

-- CreateIndex
CREATE INDEX "alerts_opened_at_id_idx" ON "alerts"("opened_at", "id");

-- CreateIndex
CREATE INDEX "bindings_serial_number_bound_at_idx" ON "bindings"("serial_number", "bound_at");

-- CreateIndex
CREATE INDEX "bindings_user_id_bound_at_idx" ON "bindings"("user_id", "bound_at");

-- CreateIndex
CREATE UNIQUE INDEX "operators_email_key" ON "operators"("email");

-- CreateIndex
CREATE UNIQUE INDEX "operator_sessions_token_hash_key" ON "operator_sessions"("token_hash");

-- CreateIndex
CREATE INDEX "operator_sessions_operator_id_created_at_idx" ON "operator_sessions"("operator_id", "created_at");

-- CreateIndex
CREATE INDEX "audit_entries_at_id_idx" ON "audit_entries"("at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_operator_id_id_idx" ON "audit_entries"("operator_id", "id");

-- CreateIndex
CREATE INDEX "audit_entries_subject_type_subject_id_id_idx" ON "audit_entries"("subject_type", "subject_id", "id");

-- AddForeignKey
ALTER TABLE "token_families" ADD CONSTRAINT "token_families_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_family_id_fkey" FOREIGN KEY ("family_id") REFERENCES "token_families"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_price_changes" ADD CONSTRAINT "plan_price_changes_plan_code_fkey" FOREIGN KEY ("plan_code") REFERENCES "plans"("code") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "subscriptions"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grants" ADD CONSTRAINT "grants_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grants" ADD CONSTRAINT "grants_refund_id_fkey" FOREIGN KEY ("refund_id") REFERENCES "refunds"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_previous_seq_expires_before_fkey" FOREIGN KEY ("user_id", "previous_seq", "expires_before") REFERENCES "grants"("user_id", "seq", "expires_after") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bindings" ADD CONSTRAINT "bindings_serial_number_fkey" FOREIGN KEY ("serial_number") REFERENCES "devices"("serial_number") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bindings" ADD CONSTRAINT "bindings_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "operator_sessions" ADD CONSTRAINT "operator_sessions_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "plans"
  ADD CONSTRAINT "plans_code_slug" CHECK ("code" ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  ADD CONSTRAINT "plans_duration_bounds" CHECK ("duration_days" BETWEEN 1 AND 3660),
  ADD CONSTRAINT "plans_price_bounds" CHECK ("price_fen" BETWEEN 1 AND 100000000),
  ADD CONSTRAINT "plans_list_price_bounds" CHECK ("list_price_fen" BETWEEN 1 AND 100000000);

ALTER TABLE "orders"
  ADD CONSTRAINT "orders_out_trade_no_form" CHECK ("out_trade_no" ~ '^M[0-9A-Z]{26}$'),
  ADD CONSTRAINT "orders_amount_bounds" CHECK ("amount_fen" BETWEEN 1 AND 100000000),
  ADD CONSTRAINT "orders_currency_cny" CHECK ("currency" = 'CNY'),
  ADD CONSTRAINT "orders_duration_bounds" CHECK ("duration_days" BETWEEN 1 AND 3660),
  ADD CONSTRAINT "orders_idempotency_key_form" CHECK ("idempotency_key" ~ '^[A-Za-z0-9_-]{1,64}$'),
  ADD CONSTRAINT "orders_expire_after_creation" CHECK ("expires_at" > "created_at"),
  ADD CONSTRAINT "orders_refunded_within_amount" CHECK ("refunded_fen" BETWEEN 0 AND "amount_fen"),
  ADD CONSTRAINT "orders_refunds_within_amount" CHECK ("refund_reserved_fen" BETWEEN 0 AND "amount_fen"),
  ADD CONSTRAINT "orders_at_most_fifty_refunds" CHECK ("refund_count" BETWEEN 0 AND 50),
  ADD CONSTRAINT "orders_prepay_known" CHECK ("status" <> 'prepay' OR ("prepay_id" IS NOT NULL AND "prepay_expires_at" IS NOT NULL)),
  ADD CONSTRAINT "orders_payment_known" CHECK (
    ("status" IN ('paid', 'refunded')) = ("transaction_id" IS NOT NULL)
    AND ("transaction_id" IS NULL) = ("paid_at" IS NULL)
    AND ("transaction_id" IS NULL) = ("confirmed_by" IS NULL)),
  ADD CONSTRAINT "orders_close_known" CHECK ("status" <> 'closed' OR ("closed_at" IS NOT NULL AND "close_reason" IS NOT NULL)),
  ADD CONSTRAINT "orders_refunded_in_full" CHECK ("status" <> 'refunded' OR "refunded_fen" = "amount_fen"),
  ADD CONSTRAINT "orders_late_only_when_paid" CHECK (NOT "late" OR "transaction_id" IS NOT NULL),
  ADD CONSTRAINT "orders_parked_for_a_reason" CHECK ("parked" = ("park_reason" IS NOT NULL));

-- One way streets: a status only moves along the table of moves, and what was agreed at purchase never changes.
CREATE FUNCTION "refuse_order_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'order % may not change from % to %, nor what was agreed at purchase', OLD.out_trade_no, OLD.status, NEW.status
    USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER "orders_move_along_the_table" BEFORE UPDATE ON "orders" FOR EACH ROW
  WHEN (OLD."status" IS DISTINCT FROM NEW."status" AND NOT (
    (OLD."status" = 'created' AND NEW."status" IN ('prepay', 'paid', 'closed')) OR
    (OLD."status" = 'prepay' AND NEW."status" IN ('paid', 'closed')) OR
    (OLD."status" = 'closed' AND NEW."status" = 'paid') OR
    (OLD."status" = 'paid' AND NEW."status" = 'refunded')))
  EXECUTE FUNCTION "refuse_order_change"();

CREATE TRIGGER "orders_keep_what_was_agreed" BEFORE UPDATE ON "orders" FOR EACH ROW
  WHEN ((OLD."out_trade_no", OLD."user_id", OLD."plan_code", OLD."plan_name", OLD."duration_days", OLD."features",
         OLD."amount_fen", OLD."currency", OLD."app_id", OLD."mch_id", OLD."platform_host", OLD."expires_at", OLD."created_at")
    IS DISTINCT FROM
        (NEW."out_trade_no", NEW."user_id", NEW."plan_code", NEW."plan_name", NEW."duration_days", NEW."features",
         NEW."amount_fen", NEW."currency", NEW."app_id", NEW."mch_id", NEW."platform_host", NEW."expires_at", NEW."created_at")
    OR (OLD."transaction_id" IS NOT NULL AND
        (OLD."transaction_id", OLD."paid_at", OLD."confirmed_by") IS DISTINCT FROM (NEW."transaction_id", NEW."paid_at", NEW."confirmed_by")))
  EXECUTE FUNCTION "refuse_order_change"();

-- Append-only tables refuse everything but an insert.
CREATE FUNCTION "refuse_rewriting_history"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER "order_events_append_only" BEFORE UPDATE OR DELETE ON "order_events" FOR EACH ROW EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "order_events_never_emptied" BEFORE TRUNCATE ON "order_events" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "grants_append_only" BEFORE UPDATE OR DELETE ON "grants" FOR EACH ROW EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "grants_never_emptied" BEFORE TRUNCATE ON "grants" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "audit_entries_append_only" BEFORE UPDATE OR DELETE ON "audit_entries" FOR EACH ROW EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "audit_entries_never_emptied" BEFORE TRUNCATE ON "audit_entries" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- The ledger: one purchase grant per order, one revocation per refund, one trial per user and per device; a gapless
-- chain (the foreign key above ties each entry to the end of the one before); and the one rule of days.
CREATE UNIQUE INDEX "grants_one_purchase_per_order" ON "grants" ("order_id") WHERE "kind" = 'purchase';
CREATE UNIQUE INDEX "grants_one_revocation_per_refund" ON "grants" ("refund_id") WHERE "kind" = 'refund_revocation';
CREATE UNIQUE INDEX "grants_one_trial_per_user" ON "grants" ("user_id") WHERE "kind" = 'trial';
CREATE UNIQUE INDEX "grants_one_trial_per_device" ON "grants" ("serial_number") WHERE "kind" = 'trial';
ALTER TABLE "grants"
  ADD CONSTRAINT "grants_gapless" CHECK (
    ("seq" = 1 AND "previous_seq" IS NULL AND "expires_before" IS NULL)
    OR ("seq" > 1 AND "previous_seq" = "seq" - 1 AND "expires_before" IS NOT NULL)),
  ADD CONSTRAINT "grants_rule_of_days" CHECK (
    "expires_after" = greatest("effective_at", greatest("effective_at", "expires_before") + "days" * interval '24 hours')),
  ADD CONSTRAINT "grants_name_their_cause" CHECK (
    ("kind" <> 'purchase' OR ("order_id" IS NOT NULL AND "days" > 0 AND "platform_host" IS NOT NULL))
    AND ("kind" <> 'refund_revocation' OR ("refund_id" IS NOT NULL AND "days" <= 0))
    AND ("kind" <> 'admin_grant' OR ("operator_id" IS NOT NULL AND "reason" IS NOT NULL AND "days" <> 0))
    AND ("kind" <> 'trial' OR ("serial_number" IS NOT NULL AND "days" > 0))),
  ADD CONSTRAINT "grants_days_bounds" CHECK ("days" BETWEEN -3660 AND 3660);
ALTER TABLE "subscriptions"
  ADD CONSTRAINT "subscriptions_expiry_known" CHECK (("seq" = 0) = ("expires_at" IS NULL)),
  ADD CONSTRAINT "subscriptions_seq_counts" CHECK ("seq" >= 0);

-- Refunds: a second person, and never more than was paid.
ALTER TABLE "refunds"
  ADD CONSTRAINT "refunds_out_refund_no_form" CHECK ("out_refund_no" ~ '^R[0-9A-Z]{26}$'),
  ADD CONSTRAINT "refunds_amount_positive" CHECK ("amount_fen" > 0),
  ADD CONSTRAINT "refunds_second_person" CHECK ("approved_by" IS NULL OR "approved_by" IS DISTINCT FROM "requested_by"),
  ADD CONSTRAINT "refunds_success_dated" CHECK (("status" = 'succeeded') = ("succeeded_at" IS NOT NULL));

CREATE FUNCTION "reserve_refund"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before_fen integer := CASE WHEN TG_OP = 'UPDATE' AND OLD.status NOT IN ('closed', 'rejected') THEN OLD.amount_fen ELSE 0 END;
  after_fen integer := CASE WHEN NEW.status NOT IN ('closed', 'rejected') THEN NEW.amount_fen ELSE 0 END;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.order_id, OLD.amount_fen, OLD.out_refund_no) IS DISTINCT FROM (NEW.order_id, NEW.amount_fen, NEW.out_refund_no) THEN
    RAISE EXCEPTION 'refund % keeps its order, number and amount', OLD.out_refund_no USING ERRCODE = 'check_violation';
  END IF;
  UPDATE orders SET
    refund_reserved_fen = refund_reserved_fen + after_fen - before_fen,
    refund_count = refund_count + (after_fen > 0)::int - (before_fen > 0)::int
  WHERE id = NEW.order_id AND transaction_id IS NOT NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a paid order can be refunded' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "refunds_reserve" AFTER INSERT OR UPDATE ON "refunds" FOR EACH ROW EXECUTE FUNCTION "reserve_refund"();

-- One active binding per device; one open alert per kind and subject.
CREATE UNIQUE INDEX "bindings_one_active_per_device" ON "bindings" ("serial_number") WHERE "unbound_at" IS NULL;
ALTER TABLE "devices" ADD CONSTRAINT "devices_serial_form" CHECK ("serial_number" ~ '^[A-Z0-9-]{4,32}$');
CREATE UNIQUE INDEX "alerts_one_open_per_subject" ON "alerts" ("kind", "subject") WHERE "resolved_at" IS NULL;

ALTER TABLE "operators" ADD CONSTRAINT "operators_email_lower" CHECK ("email" = lower("email"));
