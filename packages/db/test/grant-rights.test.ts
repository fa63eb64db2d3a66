import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { grantRights } from '../src/grant-rights.ts'
import { openPool } from '../src/index.ts'
import { cloneDatabase, programSettings } from '../src/testing/index.ts'

const newRole = () => `meridian_${randomBytes(6).toString('hex')}`
const rightsOf = (role: string) => [`GRANT USAGE ON SCHEMA reporting TO ${role}`]

async function openClone() {
  const database = await cloneDatabase()
  const pool = openPool(database.databaseUrl)
  return {
    ...database,
    pool,
    async [Symbol.asyncDispose]() {
      await pool.end()
      await database.drop()
    },
  }
}

test('a role is made once, however many databases of a server ask for it at the same time', async () => {
  await using first = await openClone()
  await using second = await openClone()
  await using third = await openClone()
  const role = newRole()
  const pools = [first.pool, second.pool, third.pool].flatMap((pool) => [pool, pool, pool, pool])
  expect(await Promise.all(pools.map((pool) => grantRights(pool, role, rightsOf(role))))).toEqual(
    pools.map(() => true),
  )
  for (const { pool } of [first, second, third]) {
    const { rows } = await pool.query(`SELECT has_schema_privilege($1, 'reporting', 'USAGE') AS may`, [role])
    expect(rows).toEqual([{ may: true }])
    await pool.query(`DROP OWNED BY ${role}`)
  }
  await first.pool.query(`DROP ROLE ${role}`)
})

test('where the user may make no role nothing is granted and nothing fails', async () => {
  await using database = await openClone()
  const lesser = openPool(programSettings(database.databaseUrl)['DATABASE_URL'] ?? '')
  const role = newRole()
  expect(await grantRights(lesser, role, rightsOf(role))).toBe(false)
  await lesser.end()
})
