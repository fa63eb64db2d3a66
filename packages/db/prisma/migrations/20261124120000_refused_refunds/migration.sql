-- How often a refund was sent and answered, and how one that the platform refuses is given up.
ALTER TABLE "refunds" ADD COLUMN     "answers" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "last_sent_at" TIMESTAMPTZ(3),
ADD COLUMN     "sendings" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "stop_request_id" BIGINT,
ADD COLUMN     "stopped_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE UNIQUE INDEX "refunds_stop_request_id_key" ON "refunds"("stop_request_id");

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_stop_request_id_fkey" FOREIGN KEY ("stop_request_id") REFERENCES "approval_requests"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "refunds"
  ADD CONSTRAINT "refunds_sendings_answered_once" CHECK (
    "answers" BETWEEN 0 AND "sendings" AND ("sendings" = 0) = ("last_sent_at" IS NULL)),
  ADD CONSTRAINT "refunds_stopped_on_request" CHECK (("stopped_at" IS NULL) = ("stop_request_id" IS NULL));

-- The refunds whose last sending was refused.
CREATE INDEX "refunds_refused" ON "refunds" ("created_at", "id") WHERE "failure" IS NOT NULL AND "status" IN ('approved', 'processing');

-- A refund is given up once: refused, on the approved request of a second person, and with no sending that may still
-- arrive (one whose answer is unknown counts as on its way for ten minutes). What ended is not sent again.
CREATE FUNCTION "guard_refund_stop"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.sendings > OLD.sendings THEN
    RAISE EXCEPTION 'refund % is not sent any more', OLD.out_refund_no USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.stopped_at IS NOT NULL
    OR OLD.status NOT IN ('approved', 'processing') OR NEW.status <> 'closed' OR OLD.failure IS NULL
    OR (OLD.answers < OLD.sendings AND OLD.last_sent_at >= business_now() - interval '10 minutes')
    OR NOT EXISTS (SELECT 1 FROM approval_requests a WHERE a.id = NEW.stop_request_id AND a.kind = 'refund_stop'
      AND a.subject = OLD.out_refund_no AND a.state = 'approved') THEN
    RAISE EXCEPTION 'refund % may not be stopped', OLD.out_refund_no USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "refunds_stop_guarded" BEFORE UPDATE ON "refunds" FOR EACH ROW
  WHEN ((OLD."stopped_at", OLD."stop_request_id") IS DISTINCT FROM (NEW."stopped_at", NEW."stop_request_id")
    OR (NEW."sendings" > OLD."sendings" AND NEW."status" NOT IN ('approved', 'processing')))
  EXECUTE FUNCTION "guard_refund_stop"();
