-- What a week came to: one row for each week, so that it is told once.
CREATE TABLE "weekly_digests" (
    "week" DATE NOT NULL,
    "figures" JSONB NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),

    CONSTRAINT "weekly_digests_pkey" PRIMARY KEY ("week")
);
