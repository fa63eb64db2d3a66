-- The guards of an order are looked at where their columns are written at all. PostgreSQL parses the condition of a trigger
-- anew in each execution, but not before it has looked at its columns, and what was agreed at purchase is written by nobody.
-- reviewed: only a catalog row; refuses what it refused before
CREATE OR REPLACE TRIGGER "orders_keep_what_was_agreed"
  BEFORE UPDATE OF "out_trade_no", "user_id", "plan_code", "plan_name", "duration_days", "features", "channel", "amount_fen",
    "currency", "app_id", "mch_id", "platform_host", "virtual_product_id", "expires_at", "created_at" ON "orders" FOR EACH ROW
  WHEN ((OLD."out_trade_no", OLD."user_id", OLD."plan_code", OLD."plan_name", OLD."duration_days", OLD."features", OLD."channel",
         OLD."amount_fen", OLD."currency", OLD."app_id", OLD."mch_id", OLD."platform_host", OLD."virtual_product_id", OLD."expires_at", OLD."created_at")
    IS DISTINCT FROM
        (NEW."out_trade_no", NEW."user_id", NEW."plan_code", NEW."plan_name", NEW."duration_days", NEW."features", NEW."channel",
         NEW."amount_fen", NEW."currency", NEW."app_id", NEW."mch_id", NEW."platform_host", NEW."virtual_product_id", NEW."expires_at", NEW."created_at"))
  EXECUTE FUNCTION "refuse_order_change"();

-- What was paid keeps its payment, but for a transaction that is told later.
-- reviewed: only a catalog row; refuses what the guard above refused before
CREATE TRIGGER "orders_keep_their_payment"
  BEFORE UPDATE OF "transaction_id", "paid_attempt_no", "paid_at", "confirmed_by" ON "orders" FOR EACH ROW
  WHEN (OLD."paid_at" IS NOT NULL AND
        (coalesce(OLD."transaction_id", NEW."transaction_id"), OLD."paid_attempt_no", OLD."paid_at", OLD."confirmed_by")
          IS DISTINCT FROM (NEW."transaction_id", NEW."paid_attempt_no", NEW."paid_at", NEW."confirmed_by"))
  EXECUTE FUNCTION "refuse_order_change"();

-- reviewed: only a catalog row; refuses what it refused before
CREATE OR REPLACE TRIGGER "orders_move_along_the_table" BEFORE UPDATE OF "status" ON "orders" FOR EACH ROW
  WHEN (OLD."status" IS DISTINCT FROM NEW."status" AND NOT (
    (OLD."status" = 'created' AND NEW."status" IN ('prepay', 'paid', 'closed')) OR
    (OLD."status" = 'prepay' AND NEW."status" IN ('paid', 'closed')) OR
    (OLD."status" = 'closed' AND NEW."status" = 'paid') OR
    (OLD."status" = 'paid' AND NEW."status" = 'refunded')))
  EXECUTE FUNCTION "refuse_order_change"();
