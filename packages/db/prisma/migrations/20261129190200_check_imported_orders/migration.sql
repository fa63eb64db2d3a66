ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_out_trade_no_form";
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_payment_known";
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_imported_are_jsapi";
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_undone_were_imported";
ALTER TABLE "grants" VALIDATE CONSTRAINT "grants_imported_change_days";
