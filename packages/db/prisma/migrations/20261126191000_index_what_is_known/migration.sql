-- outside a transaction

-- What an order gets with its payment is indexed once it is there: an order that waits has no entries without a value, and
-- since a partial index is no key that others could refer to, paying an order waits for nobody who refers to it.
CREATE UNIQUE INDEX CONCURRENTLY "orders_one_per_transaction" ON "orders" ("transaction_id") WHERE "transaction_id" IS NOT NULL;
CREATE UNIQUE INDEX CONCURRENTLY "orders_one_per_attempt" ON "orders" ("paid_attempt_no") WHERE "paid_attempt_no" IS NOT NULL;
DROP INDEX CONCURRENTLY "orders_transaction_id_key";
DROP INDEX CONCURRENTLY "orders_paid_attempt_no_key";

-- One grant for each order and one for each refund, in one index that also finds them: only purchases name an order, and
-- only revocations a refund.
CREATE UNIQUE INDEX CONCURRENTLY "grants_one_per_order" ON "grants" ("order_id") WHERE "order_id" IS NOT NULL;
CREATE UNIQUE INDEX CONCURRENTLY "grants_one_per_refund" ON "grants" ("refund_id") WHERE "refund_id" IS NOT NULL;
DROP INDEX CONCURRENTLY "grants_order_id_idx";
DROP INDEX CONCURRENTLY "grants_one_purchase_per_order";
DROP INDEX CONCURRENTLY "grants_one_revocation_per_refund";
