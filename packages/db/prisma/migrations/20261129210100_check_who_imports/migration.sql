ALTER TABLE "imports" VALIDATE CONSTRAINT "imports_operator_id_fkey";
ALTER TABLE "imports" VALIDATE CONSTRAINT "imports_obstacles_listed";
ALTER TABLE "imports" VALIDATE CONSTRAINT "imports_brought_by_one";
