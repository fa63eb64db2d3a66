-- outside a transaction

-- An import is taken back some people at a time.
CREATE INDEX CONCURRENTLY "import_lines_import_id_user_id_idx" ON "import_lines"("import_id", "user_id");
