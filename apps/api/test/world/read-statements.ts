import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askOne, withConnection } from '@meridian/embedded-postgres/testing'

const prefix = '@@'

/** Has a throwaway server log every statement; answers a function that reads the API's since it was called last. */
export async function logStatements(databaseUrl: string): Promise<() => Promise<string[]>> {
  const settings = [`log_statement = 'all'`, `log_line_prefix = '${prefix}%a|%d|'`]
  for (const sql of [...settings.map((setting) => `ALTER SYSTEM SET ${setting}`), 'SELECT pg_reload_conf()'])
    await withConnection(databaseUrl, (client) => client.query(sql))
  await askOne(databaseUrl, 'SELECT 1')
  const folder = String(await askOne(databaseUrl, `SELECT current_setting('data_directory')`))
  const written = `meridian-api|${new URL(databaseUrl).pathname.slice(1)}|`
  let seen = 0
  return async () => {
    const entries = (await readFile(join(folder, '../server.log'), 'utf8')).split(prefix)
    const all = entries.filter(
      (entry) => entry.startsWith(written) && /LOG: +(execute|statement)/.test(entry),
    )
    const added = all.slice(seen)
    seen = all.length
    return added
  }
}
