-- outside a transaction

-- What names an operator and was not seen stands in their queue, which is counted for every page.
CREATE INDEX CONCURRENTLY "note_mentions_unseen" ON "note_mentions" ("operator_id", "note_id") WHERE "seen_at" IS NULL;
