-- Orders of which money is on its way back: few at any time, and a tab of the console lists and counts them.
CREATE INDEX "orders_refunding" ON "orders" ("created_at", "id") WHERE "refund_reserved_fen" > "refunded_fen";
