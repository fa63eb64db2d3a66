-- CreateEnum
CREATE TYPE "export_state" AS ENUM ('waiting', 'running', 'done', 'failed', 'cancelled');

-- CreateTable
CREATE TABLE "export_jobs" (
    "id" BIGSERIAL NOT NULL,
    "list" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "query" JSONB NOT NULL,
    "operator_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "state" "export_state" NOT NULL DEFAULT 'waiting',
    "expected" INTEGER NOT NULL,
    "rows" INTEGER NOT NULL DEFAULT 0,
    "bytes" INTEGER NOT NULL DEFAULT 0,
    "whole" BOOLEAN,
    "turn" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "export_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "export_pieces" (
    "job_id" BIGINT NOT NULL,
    "seq" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "export_pieces_pkey" PRIMARY KEY ("job_id","seq")
);

-- CreateIndex
CREATE INDEX "export_jobs_operator_id_id_idx" ON "export_jobs"("operator_id", "id");

-- CreateIndex
CREATE INDEX "export_jobs_created_at_idx" ON "export_jobs"("created_at");

-- AddForeignKey
ALTER TABLE "export_pieces" ADD CONSTRAINT "export_pieces_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "export_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
