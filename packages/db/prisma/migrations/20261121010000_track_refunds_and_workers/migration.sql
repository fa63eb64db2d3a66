-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "decided_at" TIMESTAMPTZ(3),
ADD COLUMN     "failure" TEXT,
ADD COLUMN     "submitted_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "rejected_deliveries" (
    "id" BIGSERIAL NOT NULL,
    "reason" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "headers" JSONB NOT NULL,
    "body" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rejected_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rejection_counts" (
    "reason" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "rejection_counts_pkey" PRIMARY KEY ("reason","hour")
);

-- CreateTable
CREATE TABLE "external_refunds" (
    "out_refund_no" TEXT NOT NULL,
    "out_trade_no" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "refund_id" TEXT NOT NULL,
    "amount_fen" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "external_refunds_pkey" PRIMARY KEY ("out_refund_no")
);

-- CreateTable
CREATE TABLE "worker_heartbeats" (
    "worker_id" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "worker_heartbeats_pkey" PRIMARY KEY ("worker_id")
);

-- CreateIndex
CREATE INDEX "rejected_deliveries_reason_at_idx" ON "rejected_deliveries"("reason", "at");

-- CreateIndex
CREATE INDEX "rejected_deliveries_at_id_idx" ON "rejected_deliveries"("at", "id");

-- CreateIndex
CREATE INDEX "external_refunds_out_trade_no_idx" ON "external_refunds"("out_trade_no");

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

-- A refund moves along its own table only; what ended stays ended.
CREATE FUNCTION "refuse_refund_move"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'refund % may not move from % to %', OLD.out_refund_no, OLD.status, NEW.status USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER "refunds_move_along_the_table" BEFORE UPDATE ON "refunds" FOR EACH ROW
  WHEN (OLD."status" IS DISTINCT FROM NEW."status" AND NOT (
    (OLD."status" = 'requested' AND NEW."status" IN ('approved', 'rejected')) OR
    (OLD."status" = 'approved' AND NEW."status" IN ('processing', 'succeeded', 'closed', 'abnormal')) OR
    (OLD."status" = 'processing' AND NEW."status" IN ('succeeded', 'closed', 'abnormal')) OR
    (OLD."status" = 'abnormal' AND NEW."status" IN ('processing', 'succeeded', 'closed'))))
  EXECUTE FUNCTION "refuse_refund_move"();

ALTER TABLE "rejected_deliveries" ADD CONSTRAINT "rejected_deliveries_bounded" CHECK (octet_length("body") <= 16384);
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_approved_before_sent" CHECK ("status" IN ('requested', 'rejected') OR "decided_at" IS NOT NULL);
