-- What operators write about orders, refunds, users, devices, differences and alerts.
-- CreateTable
CREATE TABLE "notes" (
    "id" BIGSERIAL NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "user_id" UUID,
    "operator_id" UUID NOT NULL,
    "text" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),

    CONSTRAINT "notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "note_mentions" (
    "note_id" BIGINT NOT NULL,
    "operator_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3),

    CONSTRAINT "note_mentions_pkey" PRIMARY KEY ("note_id","operator_id")
);

-- CreateTable
CREATE TABLE "note_withdrawals" (
    "id" BIGSERIAL NOT NULL,
    "note_id" BIGINT NOT NULL,
    "withdrawn_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),

    CONSTRAINT "note_withdrawals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "notes_subject_kind_subject_id_id_idx" ON "notes"("subject_kind", "subject_id", "id");

-- CreateIndex
CREATE INDEX "notes_user_id_created_at_id_idx" ON "notes"("user_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "note_mentions_operator_id_note_id_idx" ON "note_mentions"("operator_id", "note_id");

-- CreateIndex
CREATE UNIQUE INDEX "note_withdrawals_note_id_key" ON "note_withdrawals"("note_id");

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "note_mentions" ADD CONSTRAINT "note_mentions_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "note_mentions" ADD CONSTRAINT "note_mentions_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "note_withdrawals" ADD CONSTRAINT "note_withdrawals_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "notes"
  ADD CONSTRAINT "notes_subject_known" CHECK ("subject_kind" IN ('order', 'refund', 'user', 'device', 'difference', 'alert')),
  ADD CONSTRAINT "notes_bounded" CHECK (char_length("text") BETWEEN 1 AND 2000 AND char_length("subject_id") BETWEEN 1 AND 64);

-- Nothing of a note changes but that its text goes with the person it concerns, once they are erased.
CREATE FUNCTION "guard_note"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.text IS NOT NULL
    OR (NEW.id, NEW.subject_kind, NEW.subject_id, NEW.user_id, NEW.operator_id, NEW.created_at)
      IS DISTINCT FROM (OLD.id, OLD.subject_kind, OLD.subject_id, OLD.user_id, OLD.operator_id, OLD.created_at)
    OR NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND erased_at IS NOT NULL) THEN
    RAISE EXCEPTION 'note % is kept as it was written', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "notes_kept" BEFORE UPDATE ON "notes" FOR EACH ROW EXECUTE FUNCTION "guard_note"();
CREATE TRIGGER "notes_append_only" BEFORE DELETE ON "notes" FOR EACH ROW EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "notes_never_emptied" BEFORE TRUNCATE ON "notes" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "note_withdrawals_append_only" BEFORE UPDATE OR DELETE ON "note_withdrawals" FOR EACH ROW EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "note_withdrawals_never_emptied" BEFORE TRUNCATE ON "note_withdrawals" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
