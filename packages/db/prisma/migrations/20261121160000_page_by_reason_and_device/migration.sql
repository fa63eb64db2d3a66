-- Pages of refused deliveries of one reason come in the index's own order; the reports of one device are found by it.
-- DropIndex
DROP INDEX "rejected_deliveries_reason_at_idx";

-- CreateIndex
CREATE INDEX "rejected_deliveries_reason_at_id_idx" ON "rejected_deliveries"("reason", "at", "id");

-- CreateIndex
CREATE INDEX "reports_serial_number_started_at_id_idx" ON "reports"("serial_number", "started_at", "id");
