-- What happened, for the company's other systems: events, where they are sent, and how each sending went.
-- CreateTable
CREATE TABLE "outbox_lines" (
    "id" BIGSERIAL NOT NULL,
    "type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),

    CONSTRAINT "outbox_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" BIGSERIAL NOT NULL,
    "event_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "types" TEXT[],
    "sealed_secret" BYTEA NOT NULL,
    "sealed_previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_by" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" BIGSERIAL NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_id" BIGINT,
    "type" TEXT NOT NULL,
    "body" TEXT,
    "subject_kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "claimed_until" TIMESTAMPTZ(3),
    "last_status" INTEGER,
    "last_error" TEXT,
    "last_headers" JSONB,
    "last_answer" TEXT,
    "last_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "events_event_id_key" ON "events"("event_id");

-- CreateIndex
CREATE UNIQUE INDEX "events_subject_kind_subject_seq_key" ON "events"("subject_kind", "subject", "seq");

-- CreateIndex
CREATE INDEX "events_created_at_idx" ON "events"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_event_id_endpoint_id_key" ON "webhook_deliveries"("event_id", "endpoint_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_id_idx" ON "webhook_deliveries"("endpoint_id", "id");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "operators"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "events"
  ADD CONSTRAINT "events_event_id_form" CHECK ("event_id" ~ '^evt_[0-9A-Z]{26}$'),
  ADD CONSTRAINT "events_seq_counts" CHECK ("seq" >= 1),
  ADD CONSTRAINT "events_subject_known" CHECK ("subject_kind" IN ('order', 'refund', 'user', 'device', 'complaint', 'alert'));
ALTER TABLE "webhook_endpoints"
  ADD CONSTRAINT "webhook_endpoints_url_bounded" CHECK (char_length("url") BETWEEN 8 AND 2048),
  ADD CONSTRAINT "webhook_endpoints_description_bounded" CHECK (char_length("description") BETWEEN 1 AND 64),
  ADD CONSTRAINT "webhook_endpoints_previous_secret_ends" CHECK (("sealed_previous_secret" IS NULL) = ("previous_secret_until" IS NULL)),
  ADD CONSTRAINT "webhook_endpoints_disabled_by_known" CHECK (("disabled_at" IS NULL) = ("disabled_by" IS NULL)
    AND "disabled_by" IN ('operator', 'gone', 'failures'));
ALTER TABLE "webhook_deliveries"
  ADD CONSTRAINT "webhook_deliveries_state_known" CHECK ("state" IN ('waiting', 'delivered', 'given_up')),
  ADD CONSTRAINT "webhook_deliveries_ended" CHECK (("state" = 'waiting') = ("ended_at" IS NULL)),
  ADD CONSTRAINT "webhook_deliveries_due" CHECK (("state" = 'waiting') = ("next_attempt_at" IS NOT NULL)),
  ADD CONSTRAINT "webhook_deliveries_attempts_bounded" CHECK ("attempts" BETWEEN 0 AND 10),
  ADD CONSTRAINT "webhook_deliveries_answer_bounded" CHECK (octet_length("last_answer") <= 4096),
  -- A test has no event: its body stands here.
  ADD CONSTRAINT "webhook_deliveries_body_known" CHECK (("event_id" IS NULL) = ("body" IS NOT NULL));

-- What is due of an endpoint, the longest first.
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" ("endpoint_id", "next_attempt_at", "id") WHERE "state" = 'waiting';
-- Whether an earlier one of the same subject is still on its way.
CREATE INDEX "webhook_deliveries_in_turn" ON "webhook_deliveries" ("endpoint_id", "subject_kind", "subject", "id") WHERE "state" = 'waiting';
