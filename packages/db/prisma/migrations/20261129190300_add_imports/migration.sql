-- Files that other systems hand over: the file until it is read, its lines until they are written, and what each line made.
-- CreateEnum
CREATE TYPE "import_kind" AS ENUM ('subscribers', 'orders', 'bindings');

-- CreateEnum
CREATE TYPE "import_state" AS ENUM ('waiting', 'checking', 'writing', 'checked', 'faulty', 'done', 'undone');

-- CreateTable
CREATE TABLE "imports" (
    "id" UUID NOT NULL,
    "kind" "import_kind" NOT NULL,
    "dry_run" BOOLEAN NOT NULL,
    "state" "import_state" NOT NULL DEFAULT 'waiting',
    "digest" BYTEA NOT NULL,
    "bytes" INTEGER NOT NULL,
    "api_key_id" UUID,
    "lines" INTEGER NOT NULL DEFAULT 0,
    "written" INTEGER NOT NULL DEFAULT 0,
    "users" INTEGER NOT NULL DEFAULT 0,
    "days" BIGINT NOT NULL DEFAULT 0,
    "fen" BIGINT NOT NULL DEFAULT 0,
    "faults" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),
    "ended_at" TIMESTAMPTZ(3),
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "imports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_pieces" (
    "import_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "import_pieces_pkey" PRIMARY KEY ("import_id","seq")
);

-- CreateTable
CREATE TABLE "import_rows" (
    "import_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "openid" TEXT NOT NULL,
    "openid_mac" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "nickname" TEXT,
    "plan_code" TEXT,
    "days" INTEGER,
    "expires_at" TIMESTAMPTZ(3),
    "features" TEXT[],
    "has_features" BOOLEAN NOT NULL DEFAULT false,
    "amount_fen" INTEGER,
    "transaction_id" TEXT,
    "out_trade_no" TEXT,
    "serial_number" TEXT,

    CONSTRAINT "import_rows_pkey" PRIMARY KEY ("import_id","line")
);

-- CreateTable
CREATE TABLE "import_lines" (
    "kind" "import_kind" NOT NULL,
    "source" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "import_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "user_id" UUID NOT NULL,
    "made_user" BOOLEAN NOT NULL,
    "seq" INTEGER,
    "order_id" BIGINT,
    "binding_id" BIGINT,

    CONSTRAINT "import_lines_pkey" PRIMARY KEY ("kind","source","source_id")
);

-- CreateIndex
CREATE INDEX "imports_created_at_idx" ON "imports"("created_at");

-- CreateIndex
CREATE INDEX "imports_kind_digest_idx" ON "imports"("kind", "digest");

-- CreateIndex
CREATE INDEX "import_rows_import_id_source_source_id_idx" ON "import_rows"("import_id", "source", "source_id");

-- CreateIndex
CREATE INDEX "import_rows_import_id_openid_at_line_idx" ON "import_rows"("import_id", "openid", "at", "line");

-- CreateIndex
CREATE INDEX "import_lines_import_id_line_idx" ON "import_lines"("import_id", "line");

-- CreateIndex
CREATE INDEX "import_lines_user_id_idx" ON "import_lines"("user_id");

-- CreateIndex
CREATE INDEX "import_lines_order_id_idx" ON "import_lines"("order_id");

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_pieces" ADD CONSTRAINT "import_pieces_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_lines" ADD CONSTRAINT "import_lines_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_lines" ADD CONSTRAINT "import_lines_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_lines" ADD CONSTRAINT "import_lines_user_id_seq_fkey" FOREIGN KEY ("user_id", "seq") REFERENCES "grants"("user_id", "seq") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_lines" ADD CONSTRAINT "import_lines_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_lines" ADD CONSTRAINT "import_lines_binding_id_fkey" FOREIGN KEY ("binding_id") REFERENCES "bindings"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "imports"
  ADD CONSTRAINT "imports_digest_form" CHECK (octet_length("digest") = 32),
  ADD CONSTRAINT "imports_counts" CHECK ("lines" >= 0 AND "written" BETWEEN 0 AND "lines" AND "users" >= 0 AND "days" >= 0 AND "fen" >= 0),
  ADD CONSTRAINT "imports_faults_listed" CHECK (jsonb_typeof("faults") = 'array' AND jsonb_array_length("faults") <= 1000),
  ADD CONSTRAINT "imports_faulty_have_faults" CHECK (("state" = 'faulty') = ("faults" <> '[]')),
  ADD CONSTRAINT "imports_dry_write_nothing" CHECK (NOT "dry_run" OR ("written" = 0 AND "state" IN ('waiting', 'checking', 'checked', 'faulty'))),
  ADD CONSTRAINT "imports_undone_dated" CHECK (("state" = 'undone') = ("undone_at" IS NOT NULL));
-- One that is not ended of the same file: begun again, it goes on.
CREATE UNIQUE INDEX "imports_one_open_per_file" ON "imports" ("kind", "digest") WHERE "state" IN ('waiting', 'checking', 'writing') AND NOT "dry_run";
-- What a line must not share with another line of its file.
CREATE INDEX "import_rows_by_number" ON "import_rows" ("import_id", "out_trade_no") WHERE "out_trade_no" IS NOT NULL;
CREATE INDEX "import_rows_by_transaction" ON "import_rows" ("import_id", "transaction_id") WHERE "transaction_id" IS NOT NULL;
CREATE INDEX "import_rows_by_device" ON "import_rows" ("import_id", "serial_number") WHERE "serial_number" IS NOT NULL;
ALTER TABLE "import_lines"
  ADD CONSTRAINT "import_lines_source_form" CHECK ("source" ~ '^[A-Za-z0-9._-]{1,64}$' AND char_length("source_id") BETWEEN 1 AND 128),
  ADD CONSTRAINT "import_lines_made_by_kind" CHECK (
    ("kind" = 'orders' OR "order_id" IS NULL) AND ("kind" = 'bindings' OR "binding_id" IS NULL) AND ("kind" <> 'bindings' OR "seq" IS NULL));
