-- outside a transaction

-- Orders of which a part went back are listed beside those of which money is on its way: one index for both takes the place
-- of the one for the latter, so that paying an order keeps no more indexes than before. An order of which all went back is
-- not in it, and is found by its status.
CREATE INDEX CONCURRENTLY "orders_with_refunds" ON "orders" ("created_at", "id") INCLUDE ("refund_reserved_fen", "refunded_fen") WHERE "status" = 'paid' AND "refund_reserved_fen" > 0;
DROP INDEX CONCURRENTLY "orders_refunding";
