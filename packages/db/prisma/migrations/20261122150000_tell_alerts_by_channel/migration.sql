-- One process at a time sends alerts: whoever holds the one row until it expires.
CREATE TABLE "alert_lease" (
    "name" TEXT NOT NULL,
    "holder" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alert_lease_pkey" PRIMARY KEY ("name")
);

-- The channels that the holder is configured with; their addresses are secrets and stay in the environment.
CREATE TABLE "alert_channels" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "configured" BOOLEAN NOT NULL DEFAULT true,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_channels_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "alert_channels" ADD CONSTRAINT "alert_channels_failures_bounds" CHECK ("failures" >= 0);

-- What each channel was told of each alert.
CREATE TABLE "alert_deliveries" (
    "channel_id" TEXT NOT NULL,
    "alert_id" BIGINT NOT NULL,
    "told_at" TIMESTAMPTZ(3),
    "over_told_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,

    CONSTRAINT "alert_deliveries_pkey" PRIMARY KEY ("channel_id", "alert_id"),
    CONSTRAINT "alert_deliveries_over_after_told" CHECK ("over_told_at" IS NULL OR "told_at" IS NOT NULL),
    CONSTRAINT "alert_deliveries_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "alert_channels" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "alert_deliveries_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "alerts" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "alert_deliveries_alert_id_idx" ON "alert_deliveries" ("alert_id");
CREATE INDEX "alert_deliveries_not_over" ON "alert_deliveries" ("channel_id", "alert_id")
    WHERE "told_at" IS NOT NULL AND "over_told_at" IS NULL;

-- Every message that a channel took, and every test that somebody asked for.
CREATE TABLE "alert_messages" (
    "id" BIGSERIAL NOT NULL,
    "channel_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "alert_id" BIGINT,
    "alerts" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_messages_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "alert_messages_kind_known" CHECK ("kind" IN ('opened', 'over', 'bundle', 'test')),
    CONSTRAINT "alert_messages_ended" CHECK (
        ("state" = 'waiting' AND "ended_at" IS NULL) OR ("state" IN ('sent', 'failed') AND "ended_at" IS NOT NULL)),
    CONSTRAINT "alert_messages_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "alert_channels" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "alert_messages_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "alerts" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "alert_messages_created_at_id_idx" ON "alert_messages" ("created_at", "id");
CREATE INDEX "alert_messages_channel_id_ended_at_idx" ON "alert_messages" ("channel_id", "ended_at");
CREATE INDEX "alert_messages_alert_id_idx" ON "alert_messages" ("alert_id");
-- At most one test of a channel waits at a time.
CREATE UNIQUE INDEX "alert_messages_one_waiting" ON "alert_messages" ("channel_id") WHERE "state" = 'waiting';

-- What ended lately and was never told: found without reading every alert there ever was.
CREATE INDEX "alerts_resolved_at_idx" ON "alerts" ("resolved_at");
