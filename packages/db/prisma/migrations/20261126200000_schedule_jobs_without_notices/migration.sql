-- Jobs that fall due and that nobody waits for: the question about an unpaid order, what follows a payment. A commit that
-- calls add_job of graphile-worker notifies, and PostgreSQL lets only one such commit at a time put its notices in order;
-- a row of this table is an insert like any other, and a worker hands what is due to the job library every second.
-- Its rows stay for seconds or minutes: what they leave is vacuumed by their number, whatever the size of the table.
CREATE TABLE "due_jobs" (
    "key" TEXT NOT NULL,
    "job" TEXT NOT NULL,
    "payload" JSON NOT NULL,
    "run_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "due_jobs_pkey" PRIMARY KEY ("key")
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- CreateIndex
CREATE INDEX "due_jobs_run_at_idx" ON "due_jobs"("run_at");
