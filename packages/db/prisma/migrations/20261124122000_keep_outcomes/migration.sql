-- What became of a notification each time it was processed, delivered or replayed: the row of the inbox keeps the last
-- word alone. Append-only for the programs; goes with its notification when that has been kept long enough.
CREATE TABLE "notification_outcomes" (
    "id" BIGSERIAL NOT NULL,
    "notification_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),
    "outcome" "notification_outcome" NOT NULL,
    "replayed" BOOLEAN NOT NULL DEFAULT false,
    "detail" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "notification_outcomes_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "notification_outcomes_notification_id_fkey" FOREIGN KEY ("notification_id") REFERENCES "notifications" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "notification_outcomes_notification_id_id_idx" ON "notification_outcomes" ("notification_id", "id");
CREATE TRIGGER "notification_outcomes_append_only" BEFORE UPDATE ON "notification_outcomes" FOR EACH ROW EXECUTE FUNCTION "refuse_rewriting_history"();

-- How an alert ended by itself is a word from a list, which every page and message says in its language.
UPDATE "alerts" SET "resolution" = CASE "resolution"
    WHEN 'the condition no longer holds' THEN 'healed: condition_over'
    WHEN 'confirmed by an owner' THEN 'healed: factor_confirmed'
    ELSE 'healed: refund_succeeded' END
WHERE "resolved_by" IS NULL
  AND "resolution" IN ('the condition no longer holds', 'confirmed by an owner', 'the refund succeeded');
