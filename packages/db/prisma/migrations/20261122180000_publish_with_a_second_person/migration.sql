-- AlterTable
ALTER TABLE "diagnosis_versions" ADD COLUMN     "approved_by" UUID,
ADD COLUMN     "withdraws" INTEGER;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

-- What one person publishes is what another approved, or the withdrawal of what was published; older rows stay.
ALTER TABLE "diagnosis_versions" ADD CONSTRAINT "diagnosis_versions_second_person" CHECK (
  "state" <> 'published' OR "published_by" IS NULL OR "withdraws" IS NOT NULL
  OR ("approved_by" IS NOT NULL AND "approved_by" <> "published_by")) NOT VALID;
