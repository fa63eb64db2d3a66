-- What operators mark orders, users and devices with.
-- CreateTable
CREATE TABLE "tags" (
    "id" BIGSERIAL NOT NULL,
    "label" TEXT NOT NULL,
    "color" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "tags_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "taggings" (
    "tag_id" BIGINT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "subject_created_at" TIMESTAMPTZ(3) NOT NULL,
    "user_id" UUID,
    "operator_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),

    CONSTRAINT "taggings_pkey" PRIMARY KEY ("subject_kind","subject_id","tag_id")
);

-- CreateIndex
CREATE INDEX "taggings_tag_id_subject_kind_subject_created_at_subject_id_idx" ON "taggings"("tag_id", "subject_kind", "subject_created_at", "subject_id");

-- CreateIndex
CREATE INDEX "taggings_user_id_idx" ON "taggings"("user_id");

-- AddForeignKey
ALTER TABLE "taggings" ADD CONSTRAINT "taggings_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "tags"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "taggings" ADD CONSTRAINT "taggings_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "taggings" ADD CONSTRAINT "taggings_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "tags"
  ADD CONSTRAINT "tags_label_bounded" CHECK (char_length("label") BETWEEN 1 AND 24 AND "label" = btrim("label") AND "label" !~ '[[:cntrl:]]'),
  ADD CONSTRAINT "tags_color_known" CHECK ("color" IN ('gray', 'red', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink'));
ALTER TABLE "taggings"
  ADD CONSTRAINT "taggings_subject_known" CHECK ("subject_kind" IN ('order', 'user', 'device')),
  ADD CONSTRAINT "taggings_subject_bounded" CHECK (char_length("subject_id") BETWEEN 1 AND 64);

CREATE UNIQUE INDEX "tags_one_in_use_per_label" ON "tags" (lower("label")) WHERE "archived_at" IS NULL;

-- A label that is in use already is left to the index, so that to make it once more is the same as to find it.
CREATE FUNCTION "limit_tags_in_use"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('tags in use', 0));
  IF (SELECT count(*) FROM tags WHERE archived_at IS NULL AND lower(label) <> lower(NEW.label)) >= 200 THEN
    RAISE EXCEPTION 'no more than 200 tags are in use' USING ERRCODE = 'check_violation', CONSTRAINT = 'tags_in_use_limited';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "tags_in_use_limited" BEFORE INSERT OR UPDATE OF "archived_at" ON "tags"
  FOR EACH ROW WHEN (NEW."archived_at" IS NULL) EXECUTE FUNCTION "limit_tags_in_use"();

-- A tag that is there already is left to the primary key, so that to set it twice is the same as once. Things share 1,024
-- locks, so that a transaction that tags many of them takes no more.
CREATE FUNCTION "limit_tags_of_subject"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('tags of a subject'), hashtext(NEW.subject_kind || ' ' || NEW.subject_id) & 1023);
  IF (SELECT count(*) FROM taggings
      WHERE subject_kind = NEW.subject_kind AND subject_id = NEW.subject_id AND tag_id <> NEW.tag_id) >= 10 THEN
    RAISE EXCEPTION '% % bears ten tags', NEW.subject_kind, NEW.subject_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'taggings_of_subject_limited';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "taggings_of_subject_limited" BEFORE INSERT ON "taggings"
  FOR EACH ROW EXECUTE FUNCTION "limit_tags_of_subject"();
