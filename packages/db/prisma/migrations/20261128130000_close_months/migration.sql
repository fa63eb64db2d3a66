-- What the platform keeps of the payments of a day, added up when its trade bill is complete: a month of finance reads one
-- row for each bill, and none of the bill's.
CREATE TABLE "bill_fee_sums" (
    "bill_id" BIGINT NOT NULL,
    "fee_hundred_thousandths" BIGINT NOT NULL,

    CONSTRAINT "bill_fee_sums_pkey" PRIMARY KEY ("bill_id")
);
-- reviewed: the table is new and empty, and bills are written a few times a day
ALTER TABLE "bill_fee_sums" ADD CONSTRAINT "bill_fee_sums_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bills"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION "sum_bill_fees"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO bill_fee_sums (bill_id, fee_hundred_thousandths)
  SELECT NEW.id, coalesce(sum(fee_hundred_thousandths), 0) FROM bill_rows WHERE bill_id = NEW.id
  ON CONFLICT (bill_id) DO UPDATE SET fee_hundred_thousandths = excluded.fee_hundred_thousandths;
  RETURN NULL;
END $$;
-- reviewed: bills are written a few times a day, by jobs that try again
CREATE TRIGGER "bills_add_up_fees" AFTER UPDATE OF "row_count" ON "bills" FOR EACH ROW
  WHEN (NEW."kind" = 'trade' AND OLD."row_count" IS NULL AND NEW."row_count" IS NOT NULL) EXECUTE FUNCTION "sum_bill_fees"();

INSERT INTO "bill_fee_sums" ("bill_id", "fee_hundred_thousandths")
SELECT b."id", coalesce((SELECT sum(r."fee_hundred_thousandths") FROM "bill_rows" r WHERE r."bill_id" = b."id"), 0)
FROM "bills" b WHERE b."kind" = 'trade' AND b."row_count" IS NOT NULL
ON CONFLICT DO NOTHING;

-- A month that finance has closed: what it added up to, for good.
CREATE TABLE "month_closings" (
    "id" BIGSERIAL NOT NULL,
    "month" DATE NOT NULL,
    "closed_by" UUID NOT NULL,
    "closed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),
    "line_id" BIGINT NOT NULL,
    "rows" BIGINT NOT NULL,
    "checksum" TEXT NOT NULL,
    "sums" JSONB NOT NULL,

    CONSTRAINT "month_closings_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "month_closings_first_of_month" CHECK ("month" = date_trunc('month', "month"::timestamp)),
    CONSTRAINT "month_closings_checksum_form" CHECK ("checksum" ~ '^[0-9a-f]{64}$')
);
CREATE UNIQUE INDEX "month_closings_month_key" ON "month_closings"("month");

CREATE FUNCTION "refuse_open_days"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM reconciliation_days WHERE state = 'closed'
        AND date >= NEW.month AND date < NEW.month + interval '1 month')
     <> (NEW.month + interval '1 month')::date - NEW.month THEN
    RAISE EXCEPTION 'not every day of % is closed', NEW.month USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "month_closings_after_their_days" BEFORE INSERT ON "month_closings" FOR EACH ROW EXECUTE FUNCTION "refuse_open_days"();
CREATE TRIGGER "month_closings_append_only" BEFORE UPDATE OR DELETE ON "month_closings" FOR EACH ROW EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "month_closings_never_emptied" BEFORE TRUNCATE ON "month_closings" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
