-- DropIndex
DROP INDEX "audit_entries_operator_id_id_idx";

-- CreateIndex
CREATE INDEX "audit_entries_operator_id_at_id_idx" ON "audit_entries"("operator_id", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_action_at_id_idx" ON "audit_entries"("action", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_subject_id_at_id_idx" ON "audit_entries"("subject_id", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_request_id_idx" ON "audit_entries"("request_id");
