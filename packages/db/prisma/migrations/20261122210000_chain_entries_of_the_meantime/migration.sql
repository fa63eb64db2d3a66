-- Entries written while the chain was laid over the old ones (minutes, on a long log) came after those were read and
-- before the trigger stood. They get their links now, at the end of the chain; the lock puts them in order with the
-- trigger's own. What audit:verify calls unchained from here on was put in past the trigger.
DO $$
DECLARE
  entry "audit_entries";
  place bigint;
  last_hash bytea;
BEGIN
  PERFORM pg_advisory_xact_lock(4919202612);
  SELECT "seq", "hash" INTO place, last_hash FROM "audit_chain" ORDER BY "seq" DESC LIMIT 1;
  FOR entry IN
    SELECT * FROM "audit_entries" e WHERE NOT EXISTS (SELECT FROM "audit_chain" link WHERE link."entry_id" = e."id") ORDER BY "id"
  LOOP
    place := coalesce(place, 0) + 1;
    last_hash := "audit_entry_hash"(coalesce(last_hash, ''), entry);
    INSERT INTO "audit_chain" ("seq", "entry_id", "hash") VALUES (place, entry."id", last_hash);
  END LOOP;
END $$;
