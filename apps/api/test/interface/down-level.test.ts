import { readFileSync } from 'node:fs'
import { openPool } from '@meridian/db'
import { cloneDatabase } from '@meridian/db/testing'
import { expect, test } from 'vitest'

const file = new URL('../../../../packages/db/previous-release/statements.json', import.meta.url)
const statements: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))

test('what the previous release prepares can be planned on the schema of this one', async () => {
  await using database = await cloneDatabase()
  const pool = openPool(database.databaseUrl, { maxConnections: 1 })
  const refused: Record<string, string> = {}
  for (const [name, text] of Object.entries(statements)) {
    // Planned, not only parsed: ON CONFLICT looks for its unique index then.
    await pool.query(`EXPLAIN (GENERIC_PLAN) ${text}`).catch((error: unknown) => {
      refused[name] = String(error)
    })
  }
  await pool.end()
  expect(refused).toEqual({})
  expect(Object.keys(statements).length).toBeGreaterThan(150)
})
