-- AlterTable
ALTER TABLE "export_jobs" ADD COLUMN "scheduled_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "export_schedules" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "hour" INTEGER NOT NULL,
    "keep_days" INTEGER NOT NULL,
    "endpoint" TEXT,
    "region" TEXT,
    "bucket" TEXT,
    "prefix" TEXT,
    "path_style" BOOLEAN,
    "access_key_id" TEXT,
    "sealed_secret" BYTEA,
    "operator_id" UUID NOT NULL,
    "next_day" DATE NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),
    "paused_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),

    CONSTRAINT "export_schedules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "export_runs" (
    "schedule_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "job_id" BIGINT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "delivered_at" TIMESTAMPTZ(3),
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),

    CONSTRAINT "export_runs_pkey" PRIMARY KEY ("schedule_id","day")
);

-- CreateIndex
CREATE UNIQUE INDEX "export_runs_job_id_key" ON "export_runs"("job_id");

-- AddForeignKey
ALTER TABLE "export_schedules" ADD CONSTRAINT "export_schedules_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "export_runs" ADD CONSTRAINT "export_runs_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "export_schedules"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "export_runs" ADD CONSTRAINT "export_runs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "export_jobs"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "export_schedules"
  ADD CONSTRAINT "export_schedules_bounded" CHECK (
    "hour" BETWEEN 0 AND 23 AND "keep_days" BETWEEN 1 AND 30 AND "format" IN ('csv', 'xlsx')),
  ADD CONSTRAINT "export_schedules_place_whole" CHECK (
    num_nulls("endpoint", "region", "bucket", "prefix", "path_style", "access_key_id", "sealed_secret") IN (0, 7));
