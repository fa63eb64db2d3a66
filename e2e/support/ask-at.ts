import { openDatabase } from '@meridian/db'

/** Runs one statement on the database at this address, as the owner of its tables. */
export async function askAt<Row extends object>(
  databaseUrl: string,
  statement: string,
  values: readonly (string | null)[] = [],
): Promise<Row[]> {
  await using database = openDatabase(databaseUrl, { applicationName: 'meridian-e2e', maxConnections: 1 })
  const { rows } = await database.pool.query<Row>(statement, [...values])
  return rows
}
