import type { Pool, PoolClient, QueryResultRow } from 'pg'

/** A composed statement: `Prisma.sql` fragments nest into one. */
export type Statement = { readonly text: string; readonly values: unknown[] }

/** A pool, where a statement is a transaction of its own; a client, where it is part of the one under way. */
export type Connection = Pool | PoolClient

/**
 * Runs one statement under a name, so that PostgreSQL plans it once per connection.
 * The same name must always carry the same text; null for text that varies. Answers the rows.
 */
export async function run<Row extends QueryResultRow>(
  db: Connection,
  name: string | null,
  statement: Statement,
): Promise<Row[]> {
  const { rows } = await db.query<Row>({
    text: statement.text,
    values: statement.values,
    ...(name !== null && { name }),
  })
  return rows
}
