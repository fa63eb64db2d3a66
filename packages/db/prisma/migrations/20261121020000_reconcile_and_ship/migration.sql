-- CreateEnum
CREATE TYPE "bill_kind" AS ENUM ('trade', 'fund_flow');

-- CreateEnum
CREATE TYPE "day_state" AS ENUM ('open', 'matched', 'closed');

-- CreateEnum
CREATE TYPE "difference_kind" AS ENUM ('ours_only', 'theirs_only', 'amount', 'status', 'refund', 'fee');

-- CreateEnum
CREATE TYPE "difference_state" AS ENUM ('open', 'resolved');

-- CreateEnum
CREATE TYPE "shipping_state" AS ENUM ('pending', 'uploaded', 'failed', 'not_needed');

-- CreateTable
CREATE TABLE "bills" (
    "id" BIGSERIAL NOT NULL,
    "kind" "bill_kind" NOT NULL,
    "bill_date" DATE NOT NULL,
    "sha1" TEXT NOT NULL,
    "row_count" INTEGER,
    "fetched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bills_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bill_pieces" (
    "bill_id" BIGINT NOT NULL,
    "seq" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "bill_pieces_pkey" PRIMARY KEY ("bill_id","seq")
);

-- CreateTable
CREATE TABLE "bill_rows" (
    "bill_id" BIGINT NOT NULL,
    "line" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "traded_at" TIMESTAMPTZ(3) NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "out_trade_no" TEXT NOT NULL,
    "out_refund_no" TEXT,
    "refund_id" TEXT,
    "status" TEXT NOT NULL,
    "amount_fen" BIGINT NOT NULL,
    "settled_fen" BIGINT NOT NULL,
    "fee_hundred_thousandths" BIGINT NOT NULL,
    "rate" TEXT NOT NULL,

    CONSTRAINT "bill_rows_pkey" PRIMARY KEY ("bill_id","line")
);

-- CreateTable
CREATE TABLE "bill_flows" (
    "bill_id" BIGINT NOT NULL,
    "line" INTEGER NOT NULL,
    "booked_at" TIMESTAMPTZ(3) NOT NULL,
    "business_no" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "incoming" BOOLEAN NOT NULL,
    "amount_fen" BIGINT NOT NULL,

    CONSTRAINT "bill_flows_pkey" PRIMARY KEY ("bill_id","line")
);

-- CreateTable
CREATE TABLE "reconciliation_days" (
    "date" DATE NOT NULL,
    "state" "day_state" NOT NULL DEFAULT 'open',
    "order_fen" BIGINT NOT NULL DEFAULT 0,
    "ledger_fen" BIGINT NOT NULL DEFAULT 0,
    "bill_fen" BIGINT NOT NULL DEFAULT 0,
    "matched_at" TIMESTAMPTZ(3),
    "closed_by" UUID,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "reconciliation_days_pkey" PRIMARY KEY ("date")
);

-- CreateTable
CREATE TABLE "reconciliation_differences" (
    "id" BIGSERIAL NOT NULL,
    "date" DATE NOT NULL,
    "kind" "difference_kind" NOT NULL,
    "subject" TEXT NOT NULL,
    "out_trade_no" TEXT,
    "transaction_id" TEXT,
    "out_refund_no" TEXT,
    "ours" JSONB,
    "theirs" JSONB,
    "suggested_action" TEXT NOT NULL,
    "bill_gap_fen" BIGINT NOT NULL DEFAULT 0,
    "ledger_gap_fen" BIGINT NOT NULL DEFAULT 0,
    "adjustment" BOOLEAN NOT NULL DEFAULT false,
    "state" "difference_state" NOT NULL DEFAULT 'open',
    "resolution" TEXT,
    "owner_id" UUID,
    "resolved_by" UUID,
    "resolved_at" TIMESTAMPTZ(3),
    "found_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reconciliation_differences_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shipping_uploads" (
    "order_id" BIGINT NOT NULL,
    "state" "shipping_state" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_code" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "uploaded_at" TIMESTAMPTZ(3),

    CONSTRAINT "shipping_uploads_pkey" PRIMARY KEY ("order_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "bills_bill_date_kind_sha1_key" ON "bills"("bill_date", "kind", "sha1");

-- CreateIndex
CREATE INDEX "bill_rows_transaction_id_idx" ON "bill_rows"("transaction_id");

-- CreateIndex
CREATE INDEX "bill_rows_out_refund_no_idx" ON "bill_rows"("out_refund_no");

-- CreateIndex
CREATE INDEX "bill_flows_business_no_idx" ON "bill_flows"("business_no");

-- CreateIndex
CREATE INDEX "reconciliation_differences_state_found_at_id_idx" ON "reconciliation_differences"("state", "found_at", "id");

-- CreateIndex
CREATE INDEX "reconciliation_differences_transaction_id_idx" ON "reconciliation_differences"("transaction_id");

-- CreateIndex
CREATE UNIQUE INDEX "reconciliation_differences_date_kind_subject_key" ON "reconciliation_differences"("date", "kind", "subject");

-- AddForeignKey
ALTER TABLE "bill_pieces" ADD CONSTRAINT "bill_pieces_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bills"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bill_rows" ADD CONSTRAINT "bill_rows_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bills"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bill_flows" ADD CONSTRAINT "bill_flows_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bills"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reconciliation_differences" ADD CONSTRAINT "reconciliation_differences_date_fkey" FOREIGN KEY ("date") REFERENCES "reconciliation_days"("date") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shipping_uploads" ADD CONSTRAINT "shipping_uploads_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "bills" ADD CONSTRAINT "bills_sha1_form" CHECK ("sha1" ~ '^[0-9a-f]{40}$');
ALTER TABLE "bill_pieces" ADD CONSTRAINT "bill_pieces_bounded" CHECK (octet_length("bytes") BETWEEN 1 AND 1048576);
ALTER TABLE "bill_rows" ADD CONSTRAINT "bill_rows_kind_known" CHECK ("kind" IN ('payment', 'refund', 'other'));

-- A day is closed by somebody, after it was matched, and stays closed.
ALTER TABLE "reconciliation_days"
  ADD CONSTRAINT "reconciliation_days_matched_before_closed" CHECK (("state" = 'open') = ("matched_at" IS NULL)),
  ADD CONSTRAINT "reconciliation_days_closed_by_somebody" CHECK (
    ("state" = 'closed') = ("closed_by" IS NOT NULL) AND ("closed_by" IS NULL) = ("closed_at" IS NULL));
CREATE FUNCTION "refuse_reopening"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the day % is closed', OLD.date USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "reconciliation_days_stay_closed" BEFORE UPDATE OR DELETE ON "reconciliation_days" FOR EACH ROW
  WHEN (OLD."state" = 'closed') EXECUTE FUNCTION "refuse_reopening"();

ALTER TABLE "reconciliation_differences" ADD CONSTRAINT "reconciliation_differences_resolved_somehow" CHECK (
  ("state" = 'resolved') = ("resolution" IS NOT NULL) AND ("resolution" IS NULL) = ("resolved_at" IS NULL));

ALTER TABLE "shipping_uploads" ADD CONSTRAINT "shipping_uploads_dated" CHECK (("state" = 'uploaded') = ("uploaded_at" IS NOT NULL));
-- What is still to be uploaded is little, whatever the number of orders.
CREATE INDEX "shipping_uploads_waiting" ON "shipping_uploads" ("order_id") WHERE "state" IN ('pending', 'failed');

-- The payments of one day.
CREATE INDEX "orders_by_payment" ON "orders" ("paid_at") WHERE "paid_at" IS NOT NULL;
