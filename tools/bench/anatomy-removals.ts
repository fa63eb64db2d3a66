/** A part of the database that can be taken away, and how. */
export type Removal = { name: string; sql: string }

/** What stands for no constraint and leans on no foreign key: the lists of the console. */
const listIndexes = `
  DO $$ DECLARE one record; BEGIN
    FOR one IN SELECT i.indexrelid::regclass AS name FROM pg_index i
      WHERE i.indrelid IN ('orders'::regclass, 'notifications'::regclass) AND NOT i.indisunique
    LOOP EXECUTE format('DROP INDEX %s', one.name); END LOOP;
  END $$`

const jobs = `
  CREATE OR REPLACE FUNCTION enqueue_job(job text, payload json, run_at timestamptz, job_key text) RETURNS bigint
    LANGUAGE sql AS 'SELECT 1::bigint';
  CREATE FUNCTION pass_over() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
  CREATE TRIGGER pass_over BEFORE INSERT ON due_jobs FOR EACH ROW EXECUTE FUNCTION pass_over()`

/** They guard money: taken away only to know their price, in a database that is thrown away. */
const guards = `
  DO $$ DECLARE one record; BEGIN
    FOR one IN SELECT conname, conrelid::regclass AS owner FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.owner, one.conname); END LOOP;
    FOR one IN SELECT tgname, tgrelid::regclass AS owner FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace AND c.relname NOT IN ('refunds', 'due_jobs')
    LOOP EXECUTE format('DROP TRIGGER %I ON %s', one.tgname, one.owner); END LOOP;
  END $$`

/** Taken away one after the other; each line of the table is also without what was taken before it. */
export const removals: readonly Removal[] = [
  { name: 'as it is', sql: '' },
  { name: 'without jobs', sql: jobs },
  { name: 'without the indexes of lists', sql: listIndexes },
  { name: 'without foreign keys and triggers', sql: guards },
]
