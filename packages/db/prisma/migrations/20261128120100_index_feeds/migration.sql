-- outside a transaction

-- The feed of a customer reads sign-ins and the ends of bindings in the order of their time.
-- Of a timeline an entry for what a payment does not write each time: its steps and its success have none and cost nothing.
CREATE INDEX CONCURRENTLY "order_events_told" ON "order_events" ("order_id") WHERE "kind" NOT IN ('create', 'prepare', 'attempt', 'pay', 'prepay_failed', 'close_failed', 'sheet_error', 'delivered', 'shipping_uploaded', 'refund_processing') AND ("kind" <> 'ask' OR "operator_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX CONCURRENTLY "token_families_user_id_created_at_id_idx" ON "token_families"("user_id", "created_at", "id");

-- CreateIndex
CREATE INDEX CONCURRENTLY "bindings_user_id_unbound_at_idx" ON "bindings"("user_id", "unbound_at");
