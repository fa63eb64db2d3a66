-- Who looks after what waits for somebody, and until when it is put off: one row for a thing that somebody touched.
CREATE TABLE "inbox_marks" (
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "assignee_id" UUID,
    "snoozed_until" TIMESTAMPTZ(3),
    "snoozed_by" UUID,
    "snoozed_version" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),

    CONSTRAINT "inbox_marks_pkey" PRIMARY KEY ("kind","subject"),
    CONSTRAINT "inbox_marks_snoozed_by_somebody" CHECK (
        num_nonnulls("snoozed_until", "snoozed_by", "snoozed_version") IN (0, 3))
);

CREATE INDEX "inbox_marks_updated_at_idx" ON "inbox_marks"("updated_at");
