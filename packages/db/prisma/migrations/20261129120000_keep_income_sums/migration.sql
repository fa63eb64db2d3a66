-- What the ledgers of all users add up to, kept by a job that goes on where it was: income by day, ends of access, and
-- users by the month of their first payment. New tables and one nullable column; they fill by themselves.
ALTER TABLE "watermarks" ADD COLUMN "reached_at" TIMESTAMPTZ(3);

CREATE TABLE "income_day_sums" (
    "day" DATE NOT NULL,
    "channel" "payment_channel" NOT NULL,
    "new_fen" BIGINT NOT NULL,
    "refunded_fen" BIGINT NOT NULL,
    "earned_fen" BIGINT NOT NULL,

    CONSTRAINT "income_day_sums_pkey" PRIMARY KEY ("day","channel")
);

CREATE TABLE "access_end_sums" (
    "day" DATE NOT NULL,
    "ended" BIGINT NOT NULL,
    "renewed" BIGINT NOT NULL,

    CONSTRAINT "access_end_sums_pkey" PRIMARY KEY ("day")
);

CREATE TABLE "cohort_month_sums" (
    "cohort" DATE NOT NULL,
    "month" DATE NOT NULL,
    "active" BIGINT NOT NULL,
    "payers" BIGINT NOT NULL,
    "net_fen" BIGINT NOT NULL,

    CONSTRAINT "cohort_month_sums_pkey" PRIMARY KEY ("cohort","month")
);
