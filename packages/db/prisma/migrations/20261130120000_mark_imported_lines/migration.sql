-- The keyed mark of a line's name in its source, which stays where the name itself is erased: sent again, the line is known.
-- AlterTable
ALTER TABLE "import_lines" ADD COLUMN     "source_mac" TEXT;

-- AlterTable
ALTER TABLE "import_rows" ADD COLUMN     "source_mac" TEXT;
