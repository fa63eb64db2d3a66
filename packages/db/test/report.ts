import pg from 'pg'

/** A long report: a transaction that has read tables, and keeps them from being changed until it is ended. */
export async function beginReport(databaseUrl: string, tables: readonly string[]) {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'the report' })
  await client.on('error', () => undefined).connect()
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  for (const table of tables) await client.query(`SELECT count(*), 'secret' FROM ${table}`)
  return {
    /** It ends; a second time nothing happens. */
    end: () => client.end(),
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** Somebody who pays, again and again, until asked to stop; tells the longest that one payment took. */
export function keepPaying(databaseUrl: string, table: string) {
  let goesOn = true
  const paid = { count: 0, longestMs: 0 }
  const paying = (async () => {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    while (goesOn) {
      const begunAt = performance.now()
      await client.query(`INSERT INTO ${table} (paid) VALUES (clock_timestamp())`)
      paid.count += 1
      paid.longestMs = Math.max(paid.longestMs, performance.now() - begunAt)
    }
    await client.end()
    return paid
  })()
  return {
    count: () => paid.count,
    stop: () => {
      goesOn = false
      return paying
    },
  }
}
