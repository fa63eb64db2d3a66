import type { Client } from 'pg'

export type Column = {
  type: string
  mayBeNull: boolean
  /** Whoever leaves it out when inserting gets a value. */
  hasDefault: boolean
  /** It may be read alone. */
  isGenerated: boolean
}

/** A check, a foreign key, a primary key, a unique constraint or index, an exclusion, a trigger. */
export type Rule = { kind: string; table: string; columns: string[]; definition: string }

/** What a database demands of the programs that write to it, and what it promises to those that read. */
export type Demands = {
  /** By table and name, as in `orders.id`. */
  columns: ReadonlyMap<string, Column>
  rules: ReadonlyMap<string, Rule>
  /** Functions by name and types of arguments: result and body. */
  functions: ReadonlyMap<string, { result: string; body: string }>
  /** Enumerated types: their values. */
  enums: ReadonlyMap<string, readonly string[]>
}

const columnsSql = `
  SELECT format('%s.%s', c.relname, a.attname) AS name, jsonb_build_object(
    'type', format_type(a.atttypid, a.atttypmod), 'mayBeNull', NOT a.attnotnull,
    'hasDefault', a.atthasdef OR a.attidentity <> '', 'isGenerated', a.attgenerated <> '' OR a.attidentity = 'a') AS found
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND c.relname <> '_prisma_migrations'
    AND a.attnum > 0 AND NOT a.attisdropped`

// 'n', a NOT NULL with a name, is new in PostgreSQL 18 and already part of the column.
const constraintsSql = `
  SELECT format('constraint %s.%s', c.relname, k.conname) AS name, jsonb_build_object(
    'kind', k.contype, 'table', c.relname, 'definition', pg_get_constraintdef(k.oid),
    'columns', ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = c.oid AND attnum = ANY(k.conkey))) AS found
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
  WHERE c.relnamespace = 'public'::regnamespace AND k.contype IN ('c', 'f', 'p', 'u', 'x')
    AND c.relname <> '_prisma_migrations'`

const uniqueIndexesSql = `
  SELECT format('index %s.%s', c.relname, i.relname) AS name, jsonb_build_object(
    'kind', 'u', 'table', c.relname, 'definition', pg_get_indexdef(x.indexrelid),
    'columns', ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = c.oid AND attnum = ANY(x.indkey))) AS found
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
  WHERE c.relnamespace = 'public'::regnamespace AND x.indisunique
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = x.indexrelid AND contype IN ('p', 'u', 'x'))`

const triggersSql = `
  SELECT format('trigger %s.%s', c.relname, t.tgname) AS name, jsonb_build_object(
    'kind', 't', 'table', c.relname, 'definition', pg_get_triggerdef(t.oid), 'columns', '{}'::text[]) AS found
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal`

const functionsSql = `
  SELECT format('function %s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) AS name,
    jsonb_build_object('result', pg_get_function_result(p.oid), 'body', p.prosrc) AS found
  FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`

const enumsSql = `
  SELECT t.typname AS name, jsonb_agg(e.enumlabel ORDER BY e.enumsortorder) AS found
  FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid
  WHERE t.typnamespace = 'public'::regnamespace GROUP BY t.typname`

async function readMap<Found>(client: Client, queries: readonly string[]): Promise<Map<string, Found>> {
  const { rows } = await client.query<{ name: string; found: Found }>(queries.join(' UNION ALL '))
  return new Map(rows.map(({ name, found }) => [name, found]))
}

/** Reads the schema `public`. */
export async function readDemands(client: Client): Promise<Demands> {
  return {
    columns: await readMap(client, [columnsSql]),
    rules: await readMap(client, [constraintsSql, uniqueIndexesSql, triggersSql]),
    functions: await readMap(client, [functionsSql]),
    enums: await readMap(client, [enumsSql]),
  }
}
