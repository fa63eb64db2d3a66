-- From when a second factor counts as step-up, when a session last showed the password, and whether a session is one
-- in which a factor counts at once: the first of an account, or one opened with a one-time password.
ALTER TABLE "operators"
  ADD COLUMN "factor_trusted_from" TIMESTAMPTZ(3),
  ADD COLUMN "first_signed_in_at" TIMESTAMPTZ(3);
ALTER TABLE "operator_sessions"
  ADD COLUMN "password_proven_at" TIMESTAMPTZ(3),
  ADD COLUMN "trusts_new_factor" BOOLEAN NOT NULL DEFAULT false;

UPDATE "operators" SET "factor_trusted_from" = "totp_confirmed_at" WHERE "totp_confirmed_at" IS NOT NULL;
UPDATE "operators" o SET "first_signed_in_at" = o."created_at"
  WHERE NOT o."must_change_password" OR EXISTS (SELECT FROM "operator_sessions" s WHERE s."operator_id" = o."id");

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

-- A factor of which nobody says from when it counts is not trusted for a day; without a factor there is nothing to trust.
CREATE FUNCTION "distrust_new_factor"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."totp_confirmed_at" IS NULL THEN
    NEW."factor_trusted_from" := NULL;
  ELSIF NEW."factor_trusted_from" IS NULL THEN
    NEW."factor_trusted_from" := NEW."totp_confirmed_at" + interval '24 hours';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "operators_distrust_new_factor"
  BEFORE INSERT OR UPDATE OF "totp_confirmed_at", "factor_trusted_from" ON "operators"
  FOR EACH ROW EXECUTE FUNCTION "distrust_new_factor"();

ALTER TABLE "operators" ADD CONSTRAINT "operators_factor_trusted_when_confirmed"
  CHECK (("totp_confirmed_at" IS NULL) = ("factor_trusted_from" IS NULL));
