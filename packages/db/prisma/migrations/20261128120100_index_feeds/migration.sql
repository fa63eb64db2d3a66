-- outside a transaction

-- A customer's feed reads sign-ins and the ends of bindings in the order of their time.
-- CreateIndex
CREATE INDEX CONCURRENTLY "token_families_user_id_created_at_id_idx" ON "token_families"("user_id", "created_at", "id");

-- CreateIndex
CREATE INDEX CONCURRENTLY "bindings_user_id_unbound_at_idx" ON "bindings"("user_id", "unbound_at");
