-- Every sign-in that failed: of a known account its id, of an unknown one a keyed hash of the e-mail and its first letter.
CREATE TYPE "sign_in_failure_reason" AS ENUM (
  'unknown_account', 'wrong_password', 'account_disabled', 'password_expired', 'wrong_code', 'rate_limited', 'busy',
  'wrong_current_password');

CREATE TABLE "sign_in_failures" (
  "id" BIGSERIAL NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "operator_id" UUID,
  "email_mac" TEXT,
  "email_initial" TEXT,
  "address" TEXT NOT NULL,
  "request_id" TEXT NOT NULL,
  "reason" "sign_in_failure_reason" NOT NULL,

  CONSTRAINT "sign_in_failures_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "sign_in_failures_who" CHECK (
    (operator_id IS NULL) = (email_mac IS NOT NULL) AND (email_mac IS NULL) = (email_initial IS NULL)),
  CONSTRAINT "sign_in_failures_masked" CHECK (char_length(email_initial) = 1 AND char_length(email_mac) = 43)
);

CREATE INDEX "sign_in_failures_at_idx" ON "sign_in_failures" ("at");

ALTER TABLE "sign_in_failures" ADD CONSTRAINT "sign_in_failures_operator_id_fkey"
  FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
