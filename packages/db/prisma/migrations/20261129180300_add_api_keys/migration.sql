-- Keys of the company's other systems, and the days that they gave.
-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_by" UUID,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "integration_grants" (
    "api_key_id" UUID NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,

    CONSTRAINT "integration_grants_pkey" PRIMARY KEY ("api_key_id","idempotency_key")
);

-- CreateTable
CREATE TABLE "integration_grant_months" (
    "api_key_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "days" INTEGER NOT NULL,

    CONSTRAINT "integration_grant_months_pkey" PRIMARY KEY ("api_key_id","user_id","month")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE UNIQUE INDEX "integration_grants_user_id_seq_key" ON "integration_grants"("user_id", "seq");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "operators"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_revoked_by_fkey" FOREIGN KEY ("revoked_by") REFERENCES "operators"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "integration_grants" ADD CONSTRAINT "integration_grants_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "integration_grants" ADD CONSTRAINT "integration_grants_user_id_seq_fkey" FOREIGN KEY ("user_id", "seq") REFERENCES "grants"("user_id", "seq") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "integration_grant_months" ADD CONSTRAINT "integration_grant_months_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "integration_grant_months" ADD CONSTRAINT "integration_grant_months_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "subscriptions"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "api_keys"
  ADD CONSTRAINT "api_keys_name_bounded" CHECK (char_length("name") BETWEEN 1 AND 64 AND "name" = btrim("name") AND "name" !~ '[[:cntrl:]]'),
  ADD CONSTRAINT "api_keys_hint_form" CHECK ("hint" ~ '^mk_[0-9A-Za-z]{6}$'),
  ADD CONSTRAINT "api_keys_hash_form" CHECK (octet_length("key_hash") = 32),
  ADD CONSTRAINT "api_keys_scopes_known" CHECK (
    cardinality("scopes") >= 1 AND "scopes" IS NOT NULL
    AND "scopes" <@ ARRAY['entitlements:read', 'orders:read', 'grants:write', 'events:read', 'imports:write']),
  ADD CONSTRAINT "api_keys_revocation_known" CHECK ("revoked_by" IS NULL OR "revoked_at" IS NOT NULL);
ALTER TABLE "integration_grants"
  ADD CONSTRAINT "integration_grants_key_form" CHECK ("idempotency_key" ~ '^[A-Za-z0-9_-]{1,64}$');
-- No key gives a user more than 31 days in a month, however many calls come at once.
ALTER TABLE "integration_grant_months"
  ADD CONSTRAINT "integration_grant_months_limited" CHECK ("days" BETWEEN 1 AND 31),
  ADD CONSTRAINT "integration_grant_months_first_day" CHECK (extract(day FROM "month") = 1);
