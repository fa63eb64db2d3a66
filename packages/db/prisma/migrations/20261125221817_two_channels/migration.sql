-- Virtual payment beside JSAPI (SPEC §15): orders have a channel, and on the virtual one attempts.
-- CreateEnum
CREATE TYPE "payment_channel" AS ENUM ('jsapi', 'virtual');

-- CreateEnum
CREATE TYPE "attempt_state" AS ENUM ('open', 'paid', 'second', 'closed');

-- CreateEnum
CREATE TYPE "settlement_state" AS ENUM ('open', 'running', 'done');

-- AlterEnum
ALTER TYPE "bill_kind" ADD VALUE 'virtual';
ALTER TYPE "bill_kind" ADD VALUE 'apple';

-- AlterTable
ALTER TABLE "plans" ADD COLUMN     "virtual_product_id" TEXT;

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "channel" "payment_channel" NOT NULL DEFAULT 'jsapi',
ADD COLUMN     "paid_attempt_no" TEXT,
ADD COLUMN     "virtual_product_id" TEXT;

-- AlterTable
ALTER TABLE "external_refunds" ADD COLUMN     "applied_refund_no" TEXT,
ADD COLUMN     "attempt_no" TEXT,
ADD COLUMN     "succeeded_at" TIMESTAMPTZ(3),
ALTER COLUMN "transaction_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "order_attempts" (
    "number" TEXT NOT NULL,
    "order_id" BIGINT NOT NULL,
    "signed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),
    "state" "attempt_state" NOT NULL DEFAULT 'open',
    "params" TEXT,
    "asked_at" TIMESTAMPTZ(3),
    "wx_order_id" TEXT,
    "channel_order_id" TEXT,
    "by_apple" BOOLEAN,
    "delivered_at" TIMESTAMPTZ(3),
    "settlement" "settlement_state",
    "settled_at" TIMESTAMPTZ(3),
    "fee_fen" INTEGER,

    CONSTRAINT "order_attempts_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "apple_inquiries" (
    "id" BIGSERIAL NOT NULL,
    "attempt_no" TEXT NOT NULL,
    "out_trade_no" TEXT,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT,
    "let_pass" BOOLEAN NOT NULL,
    "opinion" TEXT NOT NULL,
    "evidence" TEXT NOT NULL,
    "asked" INTEGER NOT NULL DEFAULT 1,
    "answered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),

    CONSTRAINT "apple_inquiries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "order_attempts_wx_order_id_key" ON "order_attempts"("wx_order_id");

-- CreateIndex
CREATE UNIQUE INDEX "order_attempts_channel_order_id_key" ON "order_attempts"("channel_order_id");

-- CreateIndex
CREATE INDEX "order_attempts_order_id_signed_at_idx" ON "order_attempts"("order_id", "signed_at");

-- CreateIndex
CREATE INDEX "apple_inquiries_out_trade_no_idx" ON "apple_inquiries"("out_trade_no");

-- CreateIndex
CREATE INDEX "apple_inquiries_answered_at_id_idx" ON "apple_inquiries"("answered_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "apple_inquiries_attempt_no_requested_at_key" ON "apple_inquiries"("attempt_no", "requested_at");

-- CreateIndex
CREATE UNIQUE INDEX "plans_virtual_product_id_key" ON "plans"("virtual_product_id");

-- CreateIndex
CREATE UNIQUE INDEX "orders_paid_attempt_no_key" ON "orders"("paid_attempt_no");

-- CreateIndex
CREATE UNIQUE INDEX "external_refunds_applied_refund_no_key" ON "external_refunds"("applied_refund_no");

-- CreateIndex
CREATE INDEX "external_refunds_attempt_no_idx" ON "external_refunds"("attempt_no");

-- AddForeignKey
ALTER TABLE "order_attempts" ADD CONSTRAINT "order_attempts_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------
-- Checks on `orders` are not validated here, so that nobody pays behind a scan of the table: the next migration does.

ALTER TABLE "plans"
  ADD CONSTRAINT "plans_virtual_product_form" CHECK ("virtual_product_id" ~ '^[A-Za-z0-9_-]{1,20}$');

-- A payment is known by its transaction; in virtual payment by its attempt, since Apple's have no transaction.
ALTER TABLE "orders"
  DROP CONSTRAINT "orders_prepay_known",
  DROP CONSTRAINT "orders_payment_known",
  DROP CONSTRAINT "orders_late_only_when_paid",
  ADD CONSTRAINT "orders_prepay_known" CHECK (
    "status" <> 'prepay' OR ("prepay_expires_at" IS NOT NULL AND ("channel" = 'jsapi') = ("prepay_id" IS NOT NULL))) NOT VALID,
  ADD CONSTRAINT "orders_payment_known" CHECK (
    ("status" IN ('paid', 'refunded')) = ("paid_at" IS NOT NULL)
    AND ("paid_at" IS NULL) = ("confirmed_by" IS NULL)
    AND CASE WHEN "channel" = 'jsapi' THEN "paid_attempt_no" IS NULL AND ("transaction_id" IS NULL) = ("paid_at" IS NULL)
      ELSE ("paid_attempt_no" IS NULL) = ("paid_at" IS NULL) AND ("transaction_id" IS NULL OR "paid_at" IS NOT NULL) END) NOT VALID,
  ADD CONSTRAINT "orders_late_only_when_paid" CHECK (NOT "late" OR "paid_at" IS NOT NULL) NOT VALID,
  ADD CONSTRAINT "orders_item_of_virtual_payment" CHECK (("channel" = 'virtual') = ("virtual_product_id" IS NOT NULL)) NOT VALID;

-- As before, with the channel and the item; what was paid keeps its payment, but for a transaction that is told later.
DROP TRIGGER "orders_keep_what_was_agreed" ON "orders";
CREATE TRIGGER "orders_keep_what_was_agreed" BEFORE UPDATE ON "orders" FOR EACH ROW
  WHEN ((OLD."out_trade_no", OLD."user_id", OLD."plan_code", OLD."plan_name", OLD."duration_days", OLD."features", OLD."channel",
         OLD."amount_fen", OLD."currency", OLD."app_id", OLD."mch_id", OLD."platform_host", OLD."virtual_product_id", OLD."expires_at", OLD."created_at")
    IS DISTINCT FROM
        (NEW."out_trade_no", NEW."user_id", NEW."plan_code", NEW."plan_name", NEW."duration_days", NEW."features", NEW."channel",
         NEW."amount_fen", NEW."currency", NEW."app_id", NEW."mch_id", NEW."platform_host", NEW."virtual_product_id", NEW."expires_at", NEW."created_at")
    OR (OLD."paid_at" IS NOT NULL AND
        (coalesce(OLD."transaction_id", NEW."transaction_id"), OLD."paid_attempt_no", OLD."paid_at", OLD."confirmed_by")
          IS DISTINCT FROM (NEW."transaction_id", NEW."paid_attempt_no", NEW."paid_at", NEW."confirmed_by")))
  EXECUTE FUNCTION "refuse_order_change"();

ALTER TABLE "order_attempts"
  ADD CONSTRAINT "order_attempts_number_form" CHECK ("number" ~ '^M[0-9A-Z]{26}$'),
  ADD CONSTRAINT "order_attempts_fee_known_when_settled" CHECK ("fee_fen" IS NULL OR ("fee_fen" >= 0 AND "settlement" = 'done'));
-- One attempt pays an order; another that is paid too is `second`.
CREATE UNIQUE INDEX "order_attempts_one_paid_per_order" ON "order_attempts" ("order_id") WHERE "state" = 'paid';
-- Whose settlement is still to be asked for.
CREATE INDEX "order_attempts_unsettled" ON "order_attempts" ("asked_at", "number") WHERE "state" = 'paid' AND "settlement" IS DISTINCT FROM 'done';

CREATE FUNCTION "refuse_attempt_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'attempt % may not change from % to %, nor its number and order', OLD.number, OLD.state, NEW.state
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "order_attempts_keep_their_order" BEFORE UPDATE ON "order_attempts" FOR EACH ROW
  WHEN ((OLD."number", OLD."order_id", OLD."signed_at") IS DISTINCT FROM (NEW."number", NEW."order_id", NEW."signed_at")
    OR (OLD."state" IS DISTINCT FROM NEW."state" AND NOT (OLD."state" = 'open' OR (OLD."state" = 'closed' AND NEW."state" IN ('paid', 'second'))))
    OR (OLD."wx_order_id" IS NOT NULL AND OLD."wx_order_id" IS DISTINCT FROM NEW."wx_order_id"))
  EXECUTE FUNCTION "refuse_attempt_change"();

-- Orders of virtual payment alone have attempts.
CREATE FUNCTION "refuse_attempt_of_other_channel"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id AND channel = 'virtual') THEN
    RAISE EXCEPTION 'attempt % is of an order of another channel', NEW.number USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "order_attempts_of_virtual_orders" BEFORE INSERT ON "order_attempts" FOR EACH ROW EXECUTE FUNCTION "refuse_attempt_of_other_channel"();

-- A second payment is one beside the order's own, and never the payment of any order, whatever tells it from others.
CREATE OR REPLACE FUNCTION "refuse_known_payment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM orders WHERE transaction_id = NEW.transaction_id OR paid_attempt_no = NEW.transaction_id)
    OR NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id AND paid_at IS NOT NULL) THEN
    RAISE EXCEPTION 'payment % is no second payment', NEW.transaction_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

-- As before, but for what says that an order was paid.
CREATE OR REPLACE FUNCTION "reserve_refund"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before_fen integer := CASE WHEN TG_OP = 'UPDATE' AND (OLD.status NOT IN ('closed', 'rejected') OR OLD.held) THEN OLD.amount_fen ELSE 0 END;
  after_fen integer := CASE WHEN NEW.status NOT IN ('closed', 'rejected') OR NEW.held THEN NEW.amount_fen ELSE 0 END;
  is_second boolean := NEW.second_payment_id IS NOT NULL;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.order_id, OLD.amount_fen, OLD.out_refund_no, OLD.second_payment_id)
    IS DISTINCT FROM (NEW.order_id, NEW.amount_fen, NEW.out_refund_no, NEW.second_payment_id) THEN
    RAISE EXCEPTION 'refund % keeps its order, payment, number and amount', OLD.out_refund_no USING ERRCODE = 'check_violation';
  END IF;
  UPDATE orders SET
    second_refund_reserved_fen = second_refund_reserved_fen + CASE WHEN is_second THEN after_fen - before_fen ELSE 0 END,
    refund_reserved_fen = refund_reserved_fen + CASE WHEN is_second THEN 0 ELSE after_fen - before_fen END,
    refund_count = refund_count + CASE WHEN is_second THEN 0 ELSE (after_fen > 0)::int - (before_fen > 0)::int END
  WHERE id = NEW.order_id AND paid_at IS NOT NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a paid order can be refunded' USING ERRCODE = 'check_violation';
  END IF;
  IF is_second AND after_fen > before_fen AND (
    SELECT sum(r.amount_fen) > (SELECT p.amount_fen FROM second_payments p WHERE p.id = NEW.second_payment_id) OR count(*) > 50
    FROM refunds r WHERE r.second_payment_id = NEW.second_payment_id AND (r.status NOT IN ('closed', 'rejected') OR r.held)) THEN
    RAISE EXCEPTION 'refunds exceed payment %', NEW.second_payment_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

-- Each platform's rule says its channel; `allowed` stays beside it for the release before, which knows JSAPI alone.
UPDATE "settings" SET "value" = (
  SELECT jsonb_object_agg(platform, rule || jsonb_build_object('channel',
    CASE WHEN (rule ->> 'allowed')::boolean THEN 'jsapi' ELSE 'none' END))
  FROM jsonb_each("value") AS rules(platform, rule))
WHERE "key" = 'sale_policy' AND NOT "value" -> 'ios' ? 'channel';
