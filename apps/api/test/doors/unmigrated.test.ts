import { readFileSync } from 'node:fs'
import { grantRuntimeRights, migrate, migrations, openPool, runtimeRole } from '@meridian/db'
import { cloneDatabase } from '@meridian/db/testing'
import { startPlatform } from '@meridian/payments/testing'
import { runMigrations } from 'graphile-worker'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startApi } from '../world/api-process.ts'
import { call, Phone } from '../world/phone.ts'
import { platformKeys } from '../world/platform-keys.ts'

const Release = z.object({ lastMigration: z.string() })
const releaseFile = new URL('../../../../packages/db/previous-release/release.json', import.meta.url)
const { lastMigration } = Release.parse(JSON.parse(readFileSync(releaseFile, 'utf8')))
const released = migrations.filter(({ name }) => name <= lastMigration)
// Right after a release there is nothing newer: then the last one is what is missing.
const previous = released.length < migrations.length ? released : migrations.slice(0, -1)

const inPublic = (what: string) => `GRANT ALL ON ${what} IN SCHEMA public TO ${runtimeRole}`

/** A database as the previous release has left it, with its plans and settings. */
async function previousDatabase() {
  const database = await cloneDatabase()
  const pool = openPool(database.databaseUrl)
  const [kept] = (
    await pool.query(
      `SELECT (SELECT jsonb_agg(p) FROM plans p) AS plans, (SELECT jsonb_agg(s) FROM settings s) AS settings`,
    )
  ).rows
  await pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await migrate(database.databaseUrl, { migrations: previous })
  for (const table of ['plans', 'settings'])
    await pool.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`, [
      JSON.stringify(kept[table]),
    ])
  await pool.query(
    `GRANT USAGE ON SCHEMA public TO ${runtimeRole}; ${inPublic('ALL TABLES')}; ${inPublic('ALL SEQUENCES')}`,
  )
  return {
    pool,
    databaseUrl: database.databaseUrl,
    async [Symbol.asyncDispose]() {
      await pool.end()
      await database.drop()
    },
  }
}

const traces = `SELECT (SELECT count(*) FROM orders)::int AS orders, (SELECT count(*) FROM order_events)::int AS events,
  (SELECT count(*) FROM graphile_worker._private_jobs)::int AS jobs`

const NotReady = z.object({ msg: z.literal('not ready'), reasons: z.record(z.string(), z.string()) })

/** Why the program was not ready, as its log tells: each change once. */
const reasonsNotReady = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.includes('"not ready"'))
    .map((line) => NotReady.parse(JSON.parse(line)).reasons)

test('on the schema of the release before a program is up but not ready, does nothing by halves, and works once it is migrated', async () => {
  expect(released.at(-1)?.name).toBe(lastMigration)
  await using database = await previousDatabase()
  const { databaseUrl, pool } = database
  const platform = await startPlatform({ keys: platformKeys() })
  const api = await startApi({
    platform,
    databaseUrl,
    more: { LOG_LEVEL: 'warn', MERIDIAN_ROLE: 'all' },
    awaited: '/healthz',
  })
  expect(await call(`${api.url}/readyz`)).toMatchObject({
    status: 503,
    body: { status: 'not_ready', checks: { database: 'ok', migrations: 'failed' }, jobs: 'down' },
  })
  const phone = await Phone.logIn(api.url, platform, 'oEarly')
  const before = (await pool.query(traces)).rows
  const early = await phone.purchaseAnswer('monthly', 'too-early')
  if (early.status !== 201) expect((await pool.query(traces)).rows).toEqual(before)

  await migrate(databaseUrl, { alsoMigrate: (pgPool) => runMigrations({ pgPool }) })
  await grantRuntimeRights(pool)
  await expect.poll(async () => (await call(`${api.url}/readyz`)).status).toBe(200)
  await phone.pays(await phone.buys('monthly', 'too-early'), { silent: true })
  await expect.poll(async () => (await phone.subscription()).remaining_days).toBe(30)
  const unmigrated = reasonsNotReady(api.output()).filter(({ migrations }) => migrations !== undefined)
  expect(unmigrated[0]).toMatchObject({ migrations: 'missing' })
  // Told again only where something else has changed: on a busy machine a write may seem to hang for a moment.
  const [first, ...later] = unmigrated.map((reasons) => Object.keys(reasons).join())
  expect(later.filter((state, index) => state === (later[index - 1] ?? first))).toEqual([])
  await api.stop()
  await platform.stop()
})
