-- Of how many users came from the first scan to a subscription nothing can be added up day by day: a user counts once,
-- whatever days are chosen. Where it takes long to count, a job keeps the answer for the days that everybody looks at.
CREATE TABLE "kept_funnels" (
    "from_day" DATE NOT NULL,
    "to_day" DATE NOT NULL,
    "funnels" JSONB NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "kept_funnels_pkey" PRIMARY KEY ("from_day","to_day")
);
