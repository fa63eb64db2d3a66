-- outside a transaction

-- Refunds of which the platform said two ends, until somebody decides which one holds: very few of very many.
CREATE INDEX CONCURRENTLY "refunds_contradicted" ON "refunds" ("created_at", "id") WHERE "contradicted_by" IS NOT NULL AND "contradiction_decided_at" IS NULL;
