import type { Client, Pool } from 'pg'

/** What a database consists of: the name of each object, such as `index users_openid_key`, and its definition. */
export type Catalogue = ReadonlyMap<string, string>

const ours = `n.nspname = 'public'`
const ledger = '_prisma_migrations'

const queries = [
  `SELECT format('column %s.%s', c.relname, a.attname) AS name,
          concat_ws(' ', format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'NOT NULL' END,
            'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), nullif(a.attidentity, ''), nullif(a.attgenerated, '')) AS definition
   FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE ${ours} AND c.relkind IN ('r', 'p', 'v', 'm') AND c.relname <> '${ledger}' AND a.attnum > 0 AND NOT a.attisdropped`,
  `SELECT format('index %s', i.relname) AS name, pg_get_indexdef(i.oid) AS definition
   FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
   JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${ours} AND c.relname <> '${ledger}'`,
  // 'n', a NOT NULL with a name, is new in PostgreSQL 18 and already part of the column; 't' is a constraint trigger.
  `SELECT format('constraint %s.%s', c.relname, k.conname) AS name, pg_get_constraintdef(k.oid) AS definition
   FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE ${ours} AND c.relname <> '${ledger}' AND k.contype NOT IN ('n', 't')`,
  `SELECT format('trigger %s.%s', c.relname, t.tgname) AS name, pg_get_triggerdef(t.oid) AS definition
   FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE ${ours} AND NOT t.tgisinternal`,
  `SELECT format('function %s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) AS name, p.prosrc AS definition
   FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
   WHERE ${ours} AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  `SELECT format('enum %s', t.typname) AS name, string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder) AS definition
   FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid JOIN pg_namespace n ON n.oid = t.typnamespace
   WHERE ${ours} GROUP BY t.typname`,
  `SELECT format('sequence %s', s.sequencename) AS name, concat_ws(' ', s.data_type, s.start_value, s.increment_by) AS definition
   FROM pg_sequences s WHERE s.schemaname = 'public'`,
  `SELECT format('extension %s', extname) AS name, '' AS definition FROM pg_extension WHERE extname <> 'plpgsql'`,
]

/** Reads every object of the schema `public`, Prisma's own table of migrations excepted. */
export async function readCatalogue(db: Pool | Client): Promise<Catalogue> {
  const catalogue = new Map<string, string>()
  for (const query of queries) {
    const { rows } = await db.query<{ name: string; definition: string }>(query)
    for (const { name, definition } of rows) catalogue.set(name, definition)
  }
  return catalogue
}
