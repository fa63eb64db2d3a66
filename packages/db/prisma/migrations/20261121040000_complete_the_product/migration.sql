-- CreateEnum
CREATE TYPE "report_kind" AS ENUM ('scan', 'treatment');

-- CreateEnum
CREATE TYPE "diagnosis_state" AS ENUM ('draft', 'published');

-- CreateEnum
CREATE TYPE "grant_request_state" AS ENUM ('requested', 'approved', 'rejected');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "exported_at" TIMESTAMPTZ(3),
ADD COLUMN     "openid_mac" TEXT;

-- AlterTable
ALTER TABLE "alerts" ADD COLUMN     "owner_id" UUID,
ADD COLUMN     "resolution" TEXT,
ADD COLUMN     "resolved_by" UUID,
ADD COLUMN     "told_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "operators" ADD COLUMN     "sealed_totp" BYTEA,
ADD COLUMN     "totp_confirmed_at" TIMESTAMPTZ(3),
ADD COLUMN     "totp_step" BIGINT;

-- AlterTable
ALTER TABLE "operator_sessions" ADD COLUMN     "proven_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "bind_challenges" (
    "nonce" BYTEA NOT NULL,
    "serial_number" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "bind_challenges_pkey" PRIMARY KEY ("nonce")
);

-- CreateTable
CREATE TABLE "reports" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "client_report_id" TEXT NOT NULL,
    "kind" "report_kind" NOT NULL,
    "serial_number" TEXT,
    "program_code" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "score" DOUBLE PRECISION,
    "summary" JSONB NOT NULL,
    "measurements" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "diagnosis_versions" (
    "version" INTEGER NOT NULL,
    "state" "diagnosis_state" NOT NULL DEFAULT 'draft',
    "based_on" INTEGER,
    "content" JSONB NOT NULL,
    "note" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "published_by" UUID,
    "published_at" TIMESTAMPTZ(3),

    CONSTRAINT "diagnosis_versions_pkey" PRIMARY KEY ("version")
);

-- CreateTable
CREATE TABLE "message_permissions" (
    "user_id" UUID NOT NULL,
    "template" TEXT NOT NULL,
    "remaining" INTEGER NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_permissions_pkey" PRIMARY KEY ("user_id","template")
);

-- CreateTable
CREATE TABLE "reminders" (
    "user_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "days_before" INTEGER NOT NULL,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "failure" TEXT,

    CONSTRAINT "reminders_pkey" PRIMARY KEY ("user_id","expires_at","days_before")
);

-- CreateTable
CREATE TABLE "grant_requests" (
    "id" BIGSERIAL NOT NULL,
    "user_id" UUID NOT NULL,
    "days" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "state" "grant_request_state" NOT NULL DEFAULT 'requested',
    "requested_by" UUID NOT NULL,
    "decided_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "grant_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "operator_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("operator_id","code_hash")
);

-- CreateTable
CREATE TABLE "saved_views" (
    "id" UUID NOT NULL,
    "operator_id" UUID NOT NULL,
    "page" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "everybody" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "bind_challenges_user_id_serial_number_created_at_idx" ON "bind_challenges"("user_id", "serial_number", "created_at");

-- CreateIndex
CREATE INDEX "bind_challenges_expires_at_idx" ON "bind_challenges"("expires_at");

-- CreateIndex
CREATE INDEX "reports_user_id_started_at_id_idx" ON "reports"("user_id", "started_at", "id");

-- CreateIndex
CREATE INDEX "reports_user_id_kind_started_at_id_idx" ON "reports"("user_id", "kind", "started_at", "id");

-- CreateIndex
CREATE INDEX "reports_started_at_id_idx" ON "reports"("started_at", "id");

-- CreateIndex
CREATE INDEX "reports_kind_started_at_id_idx" ON "reports"("kind", "started_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "reports_user_id_client_report_id_key" ON "reports"("user_id", "client_report_id");

-- CreateIndex
CREATE INDEX "reminders_claimed_at_idx" ON "reminders"("claimed_at");

-- CreateIndex
CREATE INDEX "grant_requests_state_id_idx" ON "grant_requests"("state", "id");

-- CreateIndex
CREATE INDEX "grant_requests_user_id_id_idx" ON "grant_requests"("user_id", "id");

-- CreateIndex
CREATE INDEX "saved_views_page_everybody_idx" ON "saved_views"("page", "everybody");

-- CreateIndex
CREATE UNIQUE INDEX "saved_views_operator_id_page_name_key" ON "saved_views"("operator_id", "page", "name");

-- CreateIndex
CREATE INDEX "users_created_at_id_idx" ON "users"("created_at", "id");

-- CreateIndex
CREATE INDEX "users_openid_mac_idx" ON "users"("openid_mac");

-- CreateIndex
CREATE INDEX "devices_created_at_serial_number_idx" ON "devices"("created_at", "serial_number");

-- AddForeignKey
ALTER TABLE "bind_challenges" ADD CONSTRAINT "bind_challenges_serial_number_fkey" FOREIGN KEY ("serial_number") REFERENCES "devices"("serial_number") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bind_challenges" ADD CONSTRAINT "bind_challenges_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reports" ADD CONSTRAINT "reports_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message_permissions" ADD CONSTRAINT "message_permissions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grant_requests" ADD CONSTRAINT "grant_requests_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "reports"
  ADD CONSTRAINT "reports_end_after_start" CHECK ("ended_at" >= "started_at"),
  ADD CONSTRAINT "reports_bounded" CHECK (octet_length("summary"::text) + octet_length("measurements"::text) <= 524288);

-- One draft at most; it is published by somebody or by the installation, and what was published never changes.
CREATE UNIQUE INDEX "diagnosis_versions_one_draft" ON "diagnosis_versions" ("state") WHERE "state" = 'draft';
ALTER TABLE "diagnosis_versions"
  ADD CONSTRAINT "diagnosis_versions_dated" CHECK (("state" = 'published') = ("published_at" IS NOT NULL));
CREATE FUNCTION "refuse_editing_published"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'version % is published', OLD.version USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "diagnosis_versions_stay_published" BEFORE UPDATE OR DELETE ON "diagnosis_versions" FOR EACH ROW
  WHEN (OLD."state" = 'published') EXECUTE FUNCTION "refuse_editing_published"();

ALTER TABLE "message_permissions" ADD CONSTRAINT "message_permissions_never_below_zero" CHECK ("remaining" >= 0);

-- Days beyond what one person may give are decided by another.
ALTER TABLE "grant_requests"
  ADD CONSTRAINT "grant_requests_second_person" CHECK ("decided_by" IS DISTINCT FROM "requested_by"),
  ADD CONSTRAINT "grant_requests_decided_by_somebody" CHECK (
    ("state" = 'requested') = ("decided_by" IS NULL) AND ("decided_by" IS NULL) = ("decided_at" IS NULL)),
  ADD CONSTRAINT "grant_requests_days_bounds" CHECK ("days" BETWEEN -3660 AND 3660 AND "days" <> 0);

ALTER TABLE "operators" ADD CONSTRAINT "operators_totp_confirmed_when_known" CHECK ("totp_confirmed_at" IS NULL OR "sealed_totp" IS NOT NULL);
