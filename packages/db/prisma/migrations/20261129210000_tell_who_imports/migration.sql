-- Who brought a file in the console, which process reads it, and how an import is taken back by a worker.
-- AlterTable
ALTER TABLE "imports" ADD COLUMN     "file_name" TEXT,
ADD COLUMN     "obstacles" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "operator_id" UUID,
ADD COLUMN     "turn" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "undo_asked_at" TIMESTAMPTZ(3);

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "imports"
  ADD CONSTRAINT "imports_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE SET NULL ON UPDATE CASCADE NOT VALID,
  ADD CONSTRAINT "imports_obstacles_listed" CHECK (jsonb_typeof("obstacles") = 'array' AND jsonb_array_length("obstacles") <= 100) NOT VALID,
  ADD CONSTRAINT "imports_brought_by_one" CHECK ("operator_id" IS NULL OR "api_key_id" IS NULL) NOT VALID;
