-- CreateEnum
CREATE TYPE "approval_state" AS ENUM ('requested', 'approved', 'rejected', 'withdrawn', 'elapsed');

-- AlterTable
ALTER TABLE "plan_price_changes" ADD COLUMN     "from_days" INTEGER,
ADD COLUMN     "to_days" INTEGER,
ALTER COLUMN "from_fen" DROP NOT NULL;

-- CreateTable
CREATE TABLE "approval_requests" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,
    "state" "approval_state" NOT NULL DEFAULT 'requested',
    "requested_by" UUID NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ(3),
    "decided_by" UUID,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "approval_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operator_changes" (
    "id" BIGSERIAL NOT NULL,
    "operator_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "changed_by" UUID,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "counts_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operator_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "approval_requests_state_id_idx" ON "approval_requests"("state", "id");

-- CreateIndex
CREATE INDEX "operator_changes_operator_id_counts_at_idx" ON "operator_changes"("operator_id", "counts_at");

-- CreateIndex
CREATE INDEX "plan_price_changes_plan_code_changed_at_id_idx" ON "plan_price_changes"("plan_code", "changed_at", "id");

-- AddForeignKey
ALTER TABLE "operator_changes" ADD CONSTRAINT "operator_changes_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

-- One request waits per thing; whoever asked never approves; what takes effect by time was due.
CREATE UNIQUE INDEX "approval_requests_one_waits" ON "approval_requests" ("kind", "subject") WHERE "state" = 'requested';
ALTER TABLE "approval_requests"
  ADD CONSTRAINT "approval_requests_second_person" CHECK (
    "state" NOT IN ('approved', 'rejected') OR ("decided_by" IS NOT NULL AND "decided_by" <> "requested_by")),
  ADD CONSTRAINT "approval_requests_withdrawn_by_who_asked" CHECK ("state" <> 'withdrawn' OR ("decided_by" IS NOT NULL AND "decided_by" = "requested_by")),
  ADD CONSTRAINT "approval_requests_elapsed_when_due" CHECK (
    "state" <> 'elapsed' OR ("decided_by" IS NULL AND "due_at" IS NOT NULL AND "decided_at" >= "due_at")),
  ADD CONSTRAINT "approval_requests_decided_once" CHECK (
    ("state" = 'requested') = ("decided_at" IS NULL) AND ("state" <> 'requested' OR "decided_by" IS NULL)),
  ADD CONSTRAINT "approval_requests_due_after_a_day" CHECK ("due_at" >= "requested_at" + interval '24 hours');

-- What was decided stays decided.
CREATE FUNCTION "refuse_deciding_again"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'request % is decided', OLD.id USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "approval_requests_stay_decided" BEFORE UPDATE OR DELETE ON "approval_requests" FOR EACH ROW
  WHEN (OLD."state" <> 'requested') EXECUTE FUNCTION "refuse_deciding_again"();

ALTER TABLE "operator_changes"
  ADD CONSTRAINT "operator_changes_kind_known" CHECK ("kind" IN ('made', 'password_reset', 'factor_reset', 'role')),
  ADD CONSTRAINT "operator_changes_count_later" CHECK ("counts_at" >= "changed_at");

-- Accounts of the last day are new like those made from now on.
INSERT INTO "operator_changes" ("operator_id", "kind", "changed_at", "counts_at")
  SELECT "id", 'made', "created_at", "created_at" + interval '24 hours' FROM "operators" WHERE "created_at" > now() - interval '24 hours'
    AND EXISTS (SELECT 1 FROM "orders" WHERE "paid_at" IS NOT NULL);

-- Whoever asked for days may take the request back; approving takes somebody else.
ALTER TABLE "grant_requests" DROP CONSTRAINT "grant_requests_second_person";
ALTER TABLE "grant_requests" ADD CONSTRAINT "grant_requests_second_person" CHECK ("state" <> 'approved' OR "decided_by" IS DISTINCT FROM "requested_by");
