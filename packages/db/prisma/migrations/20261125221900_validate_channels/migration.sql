-- Reads the table beside whoever pays: this lock keeps nobody from writing rows.
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_prepay_known";
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_payment_known";
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_late_only_when_paid";
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_item_of_virtual_payment";
