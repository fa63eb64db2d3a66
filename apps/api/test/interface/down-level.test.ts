import { readFileSync } from 'node:fs'
import { openPool } from '@meridian/db'
import { cloneDatabase } from '@meridian/db/testing'
import { expect, test } from 'vitest'

const file = new URL('../../../../packages/db/previous-release/statements.json', import.meta.url)
const statements: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))

test('what the previous release prepares can be planned on the schema of this one', async () => {
  await using database = await cloneDatabase()
  const pool = openPool(database.databaseUrl, { maxConnections: 1 })
  // Planned for any values: EXPLAIN (GENERIC_PLAN) does it in one, from PostgreSQL 16 on.
  await pool.query('SET plan_cache_mode = force_generic_plan')
  const plan = async (text: string) => {
    await pool.query('DEALLOCATE ALL')
    await pool.query(`PREPARE given AS ${text}`)
    const { rows } = await pool.query<{ given: string }>(
      `SELECT concat('(', nullif(array_to_string(array_fill('NULL'::text, ARRAY[cardinality(parameter_types)]), ', '), ''), ')') AS given
       FROM pg_prepared_statements WHERE name = 'given'`,
    )
    // Planned, not only parsed: ON CONFLICT looks for its unique index then.
    await pool.query(`EXPLAIN EXECUTE given ${rows[0]?.given === '()' ? '' : rows[0]?.given}`)
  }
  const refused: Record<string, string> = {}
  for (const [name, text] of Object.entries(statements))
    await plan(text).catch((error: unknown) => {
      refused[name] = String(error)
    })
  await pool.end()
  expect(refused).toEqual({})
  expect(Object.keys(statements).length).toBeGreaterThan(150)
})
