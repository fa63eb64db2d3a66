-- CreateIndex
CREATE INDEX "token_families_expires_at_idx" ON "token_families"("expires_at");

-- CreateIndex
CREATE INDEX "operator_sessions_expires_at_idx" ON "operator_sessions"("expires_at");

-- CreateIndex
CREATE INDEX "refunds_created_at_id_idx" ON "refunds"("created_at", "id");

-- CreateIndex
CREATE INDEX "refunds_status_created_at_id_idx" ON "refunds"("status", "created_at", "id");

-- Few orders are parked and few alerts are open: the desks look at nothing else.
CREATE INDEX "orders_parked" ON "orders" ("created_at", "id") WHERE "parked";
CREATE INDEX "alerts_open" ON "alerts" ("opened_at", "id") WHERE "resolved_at" IS NULL;
