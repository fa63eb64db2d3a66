-- The platform may say two different ends of one refund: the second one, and whether the sum is held until finance decides.
ALTER TABLE "refunds" ADD COLUMN     "contradicted_at" TIMESTAMPTZ(3),
ADD COLUMN     "contradicted_by" "refund_status",
ADD COLUMN     "contradiction_decided_at" TIMESTAMPTZ(3),
ADD COLUMN     "held" BOOLEAN NOT NULL DEFAULT false;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "refunds"
  ADD CONSTRAINT "refunds_contradicted_by_an_end" CHECK (
    ("contradicted_by" IS NULL) = ("contradicted_at" IS NULL)
    AND ("contradicted_by" IS NULL OR "contradicted_by" IN ('succeeded', 'closed'))
    AND ("contradiction_decided_at" IS NULL OR "contradicted_by" IS NOT NULL)),
  ADD CONSTRAINT "refunds_held_until_decided" CHECK (
    NOT "held" OR ("contradicted_by" IS NOT NULL AND "contradiction_decided_at" IS NULL));

-- A sum counts against its order while the refund stands, and while a contradiction about it holds the sum.
CREATE OR REPLACE FUNCTION "reserve_refund"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before_fen integer := CASE WHEN TG_OP = 'UPDATE' AND (OLD.status NOT IN ('closed', 'rejected') OR OLD.held) THEN OLD.amount_fen ELSE 0 END;
  after_fen integer := CASE WHEN NEW.status NOT IN ('closed', 'rejected') OR NEW.held THEN NEW.amount_fen ELSE 0 END;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.order_id, OLD.amount_fen, OLD.out_refund_no) IS DISTINCT FROM (NEW.order_id, NEW.amount_fen, NEW.out_refund_no) THEN
    RAISE EXCEPTION 'refund % keeps its order, number and amount', OLD.out_refund_no USING ERRCODE = 'check_violation';
  END IF;
  UPDATE orders SET
    refund_reserved_fen = refund_reserved_fen + after_fen - before_fen,
    refund_count = refund_count + (after_fen > 0)::int - (before_fen > 0)::int
  WHERE id = NEW.order_id AND transaction_id IS NOT NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only a paid order can be refunded' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

-- What ended stays ended, unless the platform said another end and somebody accepts it.
DROP TRIGGER "refunds_move_along_the_table" ON "refunds";
CREATE TRIGGER "refunds_move_along_the_table" BEFORE UPDATE ON "refunds" FOR EACH ROW
  WHEN (OLD."status" IS DISTINCT FROM NEW."status" AND NOT (
    (OLD."status" = 'requested' AND NEW."status" IN ('approved', 'rejected')) OR
    (OLD."status" = 'approved' AND NEW."status" IN ('processing', 'succeeded', 'closed', 'abnormal')) OR
    (OLD."status" = 'processing' AND NEW."status" IN ('succeeded', 'closed', 'abnormal')) OR
    (OLD."status" = 'abnormal' AND NEW."status" IN ('processing', 'succeeded', 'closed')) OR
    (OLD."status" IN ('requested', 'closed', 'rejected') AND NEW."status" = 'succeeded'
      AND OLD."contradicted_by" IS NOT DISTINCT FROM 'succeeded' AND OLD."contradiction_decided_at" IS NULL)))
  EXECUTE FUNCTION "refuse_refund_move"();
