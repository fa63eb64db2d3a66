import { openPool } from '@meridian/db'
import { startTestCluster } from '@meridian/db/testing'
import { expect, test } from 'vitest'
import { holdsSealed, lostSecrets, makesDataKey } from '../refuse-lost-secrets.mjs'

test('a DATA_KEY is made only for the embedded database, and where none is given or kept', () => {
  expect(makesDataKey({}, {})).toBe(true)
  expect(makesDataKey({}, { DATA_KEY: 'kept' })).toBe(false)
  expect(makesDataKey({ DATA_KEY: 'given' }, {})).toBe(false)
  expect(makesDataKey({ DATA_KEY_FILE: '/run/secrets/data-key' }, {})).toBe(false)
  expect(makesDataKey({ DATABASE_URL: 'postgresql://elsewhere/meridian' }, {})).toBe(false)
})

test('a database counts as sealed from when the first secret was kept in it', async () => {
  const cluster = await startTestCluster({ prepare: async () => undefined })
  try {
    expect(await holdsSealed(cluster.address)).toBe(false)
    const pool = openPool(cluster.address, { maxConnections: 1 })
    await pool.query('CREATE TABLE sealed_keys (name text)')
    expect(await holdsSealed(cluster.address)).toBe(false)
    await pool.query(`INSERT INTO sealed_keys VALUES ('canary')`)
    await pool.end()
    expect(await holdsSealed(cluster.address)).toBe(true)
  } finally {
    await cluster.stop()
  }
}, 120_000)

test('the refusal names the folder of the database, and both ways on', () => {
  const { message } = lostSecrets('/var/lib/meridian/0123456789abcdef/cluster')
  expect(message).toContain('/var/lib/meridian/0123456789abcdef/cluster')
  expect(message).toContain('secrets.env')
  expect(message).toContain('npm run db:reset')
})
