-- What a plan is called, and how it is described, in English; null: as in Chinese. The release before writes neither.
ALTER TABLE "plans" ADD COLUMN "name_en" TEXT,
  ADD COLUMN "description_en" TEXT;
