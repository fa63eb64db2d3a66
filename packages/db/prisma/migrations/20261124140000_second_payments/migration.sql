-- Payments of orders that another transaction had paid already, and refunds that return one of them instead of the order's own.
-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "second_refund_reserved_fen" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "second_payment_id" BIGINT;

-- CreateTable
CREATE TABLE "second_payments" (
    "id" BIGSERIAL NOT NULL,
    "order_id" BIGINT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "amount_fen" INTEGER NOT NULL,
    "payer" TEXT NOT NULL,
    "source" "confirmed_by" NOT NULL,
    "paid_at" TIMESTAMPTZ(3),
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),

    CONSTRAINT "second_payments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "second_payments_transaction_id_key" ON "second_payments"("transaction_id");

-- CreateIndex
CREATE INDEX "second_payments_order_id_id_idx" ON "second_payments"("order_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "second_payments_id_order_id_key" ON "second_payments"("id", "order_id");

-- CreateIndex
CREATE INDEX "refunds_second_payment_id_idx" ON "refunds"("second_payment_id");

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_second_payment_id_order_id_fkey" FOREIGN KEY ("second_payment_id", "order_id") REFERENCES "second_payments"("id", "order_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "second_payments" ADD CONSTRAINT "second_payments_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "second_payments"
  ADD CONSTRAINT "second_payments_amount_bounds" CHECK ("amount_fen" BETWEEN 1 AND 100000000),
  ADD CONSTRAINT "second_payments_payer_known" CHECK ("payer" IN ('same', 'other', 'unknown'));
ALTER TABLE "orders" ADD CONSTRAINT "orders_second_refunds_positive" CHECK ("second_refund_reserved_fen" >= 0);
-- The days belong to the order's own payment.
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_second_payment_keeps_days" CHECK ("second_payment_id" IS NULL OR "keep_days");

-- A second payment is one beside the order's own, and never the payment of any order.
CREATE FUNCTION "refuse_known_payment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM orders WHERE transaction_id = NEW.transaction_id)
    OR NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id AND transaction_id IS NOT NULL) THEN
    RAISE EXCEPTION 'payment % is no second payment', NEW.transaction_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "second_payments_of_paid_orders" BEFORE INSERT ON "second_payments" FOR EACH ROW EXECUTE FUNCTION "refuse_known_payment"();
CREATE TRIGGER "second_payments_append_only" BEFORE UPDATE OR DELETE ON "second_payments" FOR EACH ROW EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "second_payments_never_emptied" BEFORE TRUNCATE ON "second_payments" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- A sum counts against the payment that it returns: the order's own, or a second one with a sum and a number of its own.
-- The order's row is locked by the count either way, so that what is added up afterwards is complete.
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
  WHERE id = NEW.order_id AND transaction_id IS NOT NULL;
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

-- Revenue counts the payments of orders, and what of these went back.
DROP INDEX "refunds_by_success";
CREATE INDEX "refunds_by_success" ON "refunds" ("succeeded_at") INCLUDE ("amount_fen") WHERE "succeeded_at" IS NOT NULL AND "second_payment_id" IS NULL;

-- What alerts have told of second payments so far.
INSERT INTO "second_payments" ("order_id", "transaction_id", "amount_fen", "payer", "source")
  SELECT DISTINCT ON (a."detail" ->> 'transaction_id') o."id", a."detail" ->> 'transaction_id', o."amount_fen", 'unknown',
    coalesce((SELECT e."channel"::"confirmed_by" FROM "order_events" e WHERE e."order_id" = o."id" AND e."kind" = 'second_transaction'
      AND e."channel" IN ('notification', 'sync', 'sweep', 'bill', 'admin_sync', 'replay') ORDER BY e."id" LIMIT 1), 'notification')
  FROM "alerts" a JOIN "orders" o ON o."out_trade_no" = a."subject"
  WHERE a."kind" = 'second_transaction' AND a."detail" ->> 'transaction_id' IS NOT NULL AND o."transaction_id" IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM "orders" other WHERE other."transaction_id" = a."detail" ->> 'transaction_id')
  ORDER BY a."detail" ->> 'transaction_id', a."id";
