-- What stands beside a plan's name, in English; null: as in Chinese. The release before writes none.
ALTER TABLE "plans" ADD COLUMN "badge_en" TEXT;
