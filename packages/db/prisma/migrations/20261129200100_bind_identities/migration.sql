-- Operators who sign in by the company's own identity: who they are there, and what the provider said of a session.
-- AlterTable
ALTER TABLE "operators" ADD COLUMN     "identity_issuer" TEXT,
ADD COLUMN     "identity_subject" TEXT,
ADD COLUMN     "identity_trusted_from" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "operator_sessions" ADD COLUMN     "identity_factor" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE UNIQUE INDEX "operators_identity_issuer_identity_subject_key" ON "operators"("identity_issuer", "identity_subject");

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "operators"
  ADD CONSTRAINT "operators_identity_whole" CHECK (
    ("identity_issuer" IS NULL) = ("identity_subject" IS NULL) AND ("identity_issuer" IS NULL) = ("identity_trusted_from" IS NULL)
    AND "identity_subject" <> '');
