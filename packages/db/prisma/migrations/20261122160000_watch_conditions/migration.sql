-- What single processes see, added up over all of them in steps of ten seconds, kept for a day: bounded by kinds.
CREATE TABLE "observation_counts" (
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "observation_counts_pkey" PRIMARY KEY ("kind", "at")
);
ALTER TABLE "observation_counts" ADD CONSTRAINT "observation_counts_positive" CHECK ("count" > 0);
CREATE INDEX "observation_counts_at_idx" ON "observation_counts" ("at");

-- Every timeline the database was seen on: a new one is a new leader, or a restored database.
CREATE TABLE "database_timelines" (
    "system" TEXT NOT NULL,
    "timeline" INTEGER NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "database_timelines_pkey" PRIMARY KEY ("system", "timeline")
);

-- When base backups of the embedded database ended.
CREATE TABLE "backups" (
    "finished_at" TIMESTAMPTZ(3) NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "backups_pkey" PRIMARY KEY ("finished_at")
);

-- Until when the merchant certificate is valid, as somebody entered it: the program holds its private key alone.
CREATE TABLE "merchant_certificates" (
    "serial" TEXT NOT NULL,
    "expires_on" DATE NOT NULL,
    "entered_by" UUID NOT NULL,
    "entered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchant_certificates_pkey" PRIMARY KEY ("serial")
);

-- When conditions were last looked at: whoever finds it long ago takes the turn. One row.
CREATE TABLE "condition_checks" (
    "id" INTEGER NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "condition_checks_pkey" PRIMARY KEY ("id")
);
