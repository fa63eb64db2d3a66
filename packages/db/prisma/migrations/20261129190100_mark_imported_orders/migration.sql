-- Orders of another system. They were paid there: nobody confirmed it to us, they keep the number they had, and may have no
-- transaction. An import that is taken back gives the numbers back, so that the same line can be imported again.
ALTER TABLE "orders"
  ADD COLUMN "imported" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "import_undone_at" TIMESTAMPTZ(3);

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "orders"
  DROP CONSTRAINT "orders_out_trade_no_form",
  DROP CONSTRAINT "orders_payment_known",
  ADD CONSTRAINT "orders_out_trade_no_form" CHECK (
    "out_trade_no" ~ '^M[0-9A-Z]{26}$' OR ("imported" AND "out_trade_no" ~ '^[0-9A-Za-z_*|-]{6,32}$')) NOT VALID,
  ADD CONSTRAINT "orders_payment_known" CHECK (
    ("status" IN ('paid', 'refunded')) = ("paid_at" IS NOT NULL)
    AND CASE WHEN "imported" THEN "paid_at" IS NOT NULL AND "confirmed_by" IS NULL AND "paid_attempt_no" IS NULL
      ELSE ("paid_at" IS NULL) = ("confirmed_by" IS NULL)
        AND CASE WHEN "channel" = 'jsapi' THEN "paid_attempt_no" IS NULL AND ("transaction_id" IS NULL) = ("paid_at" IS NULL)
          ELSE ("paid_attempt_no" IS NULL) = ("paid_at" IS NULL) AND ("transaction_id" IS NULL OR "paid_at" IS NOT NULL) END END) NOT VALID,
  ADD CONSTRAINT "orders_imported_are_jsapi" CHECK (NOT "imported" OR ("channel" = 'jsapi' AND NOT "late" AND NOT "parked")) NOT VALID,
  ADD CONSTRAINT "orders_undone_were_imported" CHECK (
    "import_undone_at" IS NULL OR ("imported" AND "transaction_id" IS NULL AND "refund_count" = 0 AND "status" = 'paid')) NOT VALID;

-- As before, but that an import which is taken back gives its numbers back, in the moment that it is and never after.
-- reviewed: only a catalog row; refuses what it refused before of every order that was not imported
CREATE OR REPLACE TRIGGER "orders_keep_what_was_agreed"
  BEFORE UPDATE OF "out_trade_no", "user_id", "plan_code", "plan_name", "duration_days", "features", "channel", "amount_fen",
    "currency", "app_id", "mch_id", "platform_host", "virtual_product_id", "expires_at", "created_at", "imported", "import_undone_at" ON "orders" FOR EACH ROW
  WHEN ((OLD."user_id", OLD."plan_code", OLD."plan_name", OLD."duration_days", OLD."features", OLD."channel",
         OLD."amount_fen", OLD."currency", OLD."app_id", OLD."mch_id", OLD."platform_host", OLD."virtual_product_id", OLD."expires_at", OLD."created_at", OLD."imported")
    IS DISTINCT FROM
        (NEW."user_id", NEW."plan_code", NEW."plan_name", NEW."duration_days", NEW."features", NEW."channel",
         NEW."amount_fen", NEW."currency", NEW."app_id", NEW."mch_id", NEW."platform_host", NEW."virtual_product_id", NEW."expires_at", NEW."created_at", NEW."imported")
    OR (OLD."import_undone_at" IS NOT NULL AND OLD."import_undone_at" IS DISTINCT FROM NEW."import_undone_at")
    OR (OLD."out_trade_no" <> NEW."out_trade_no" AND (OLD."import_undone_at" IS NOT NULL OR NEW."import_undone_at" IS NULL)))
  EXECUTE FUNCTION "refuse_order_change"();

-- reviewed: only a catalog row; refuses what it refused before of every order that was not imported
CREATE OR REPLACE TRIGGER "orders_keep_their_payment"
  BEFORE UPDATE OF "transaction_id", "paid_attempt_no", "paid_at", "confirmed_by" ON "orders" FOR EACH ROW
  WHEN (OLD."paid_at" IS NOT NULL AND (
        (OLD."paid_attempt_no", OLD."paid_at", OLD."confirmed_by") IS DISTINCT FROM (NEW."paid_attempt_no", NEW."paid_at", NEW."confirmed_by")
        OR (coalesce(OLD."transaction_id", NEW."transaction_id") IS DISTINCT FROM NEW."transaction_id"
          AND (OLD."import_undone_at" IS NOT NULL OR NEW."import_undone_at" IS NULL))))
  EXECUTE FUNCTION "refuse_order_change"();

-- Days that were had elsewhere, or, where an import is taken back, as many less.
ALTER TABLE "grants" ADD CONSTRAINT "grants_imported_change_days" CHECK ("kind" <> 'imported' OR "days" <> 0) NOT VALID;
