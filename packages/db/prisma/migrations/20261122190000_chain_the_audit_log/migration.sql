-- The audit log carries a hash chain: entry n's hash covers its own words and the hash of entry n - 1, so an entry that
-- was changed, removed or slipped in later breaks every hash after it. `npm run audit:verify` recomputes the chain.

CREATE TABLE "audit_chain" (
    "seq" BIGINT NOT NULL,
    "entry_id" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_chain_pkey" PRIMARY KEY ("seq")
);
CREATE UNIQUE INDEX "audit_chain_entry_id_key" ON "audit_chain"("entry_id");
ALTER TABLE "audit_chain" ADD CONSTRAINT "audit_chain_hash_is_sha256" CHECK ("seq" >= 1 AND octet_length("hash") = 32);

-- SHA-256 over the hash before and the entry's columns as one JSON array. A column that is added later is not covered
-- until this function is replaced, and then only for entries of a new chain.
CREATE FUNCTION "audit_entry_hash"(previous bytea, entry "audit_entries") RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(previous || convert_to(jsonb_build_array(
    entry."id", extract(epoch FROM entry."at")::text, entry."operator_id", entry."action", entry."subject_type",
    entry."subject_id", entry."before", entry."after", entry."address", entry."request_id")::text, 'UTF8'))
$$;

-- Deferred to the end of the transaction, so that the lock which puts entries in order is held for the commit alone.
-- It runs with the rights of the owner: the program's own role may read the chain and not write it.
CREATE FUNCTION "chain_audit_entry"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  last_seq bigint;
  last_hash bytea;
BEGIN
  PERFORM pg_advisory_xact_lock(4919202612);
  SELECT "seq", "hash" INTO last_seq, last_hash FROM "audit_chain" ORDER BY "seq" DESC LIMIT 1;
  INSERT INTO "audit_chain" ("seq", "entry_id", "hash")
  VALUES (coalesce(last_seq, 0) + 1, NEW."id", "audit_entry_hash"(coalesce(last_hash, ''), NEW));
  RETURN NULL;
END $$;

-- What was written before has its place in the chain too, in the order of its numbers.
DO $$
DECLARE
  entry "audit_entries";
  place bigint := 0;
  last_hash bytea := '';
BEGIN
  FOR entry IN SELECT * FROM "audit_entries" ORDER BY "id" LOOP
    place := place + 1;
    last_hash := "audit_entry_hash"(last_hash, entry);
    INSERT INTO "audit_chain" ("seq", "entry_id", "hash") VALUES (place, entry."id", last_hash);
  END LOOP;
END $$;

CREATE CONSTRAINT TRIGGER "audit_entries_chained" AFTER INSERT ON "audit_entries" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "chain_audit_entry"();
CREATE TRIGGER "audit_chain_append_only" BEFORE UPDATE OR DELETE ON "audit_chain" FOR EACH ROW EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "audit_chain_never_emptied" BEFORE TRUNCATE ON "audit_chain" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
