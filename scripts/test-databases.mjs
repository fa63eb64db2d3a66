import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runCommand } from './run-command.mjs'
import { runVitestIn } from './run-tests.mjs'

/** @typedef {import('./run-tests.mjs').Counts} Counts */

/** Where Debian puts them, and whoever has others says so: a list of programs, a folder with PostgreSQL's `bin`. */
const {
  MERIDIAN_PGBOUNCER = '/usr/sbin/pgbouncer',
  MERIDIAN_POSTGRES_15: postgres15 = '/usr/lib/postgresql/15',
} = process.env
const poolers = MERIDIAN_PGBOUNCER.split(delimiter)

/** @param {string} program @returns {Promise<number | undefined>} its version as a number, 1.18 as 118; nothing where it is missing */
async function versionOf(program) {
  if (!existsSync(program)) return undefined
  const { output } = await runCommand([program, '--version'])
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(output) ?? []
  return major === undefined ? undefined : Number(major) * 100 + Number(minor)
}

/** The first PgBouncer whose version will do. @param {(version: number) => boolean} will */
async function findPooler(will) {
  for (const program of poolers) {
    const version = await versionOf(program)
    if (version !== undefined && will(version)) return program
  }
  return undefined
}

/** The tests of the API with these variables beside their usual ones. @param {Record<string, string>} variables */
const testApi = (variables) => runVitestIn('apps/api', { variables })

/** @param {string} what @returns {Counts} */
const missing = (what) => ({ passed: 0, failed: 0, missing: what })

/** Below 1.21 a transaction may not name a statement that another has prepared. @returns {Promise<Counts>} */
async function testWithoutNames() {
  const program = (await findPooler((version) => version < 121)) ?? (await findPooler(() => true))
  if (program === undefined) return missing('PgBouncer; MERIDIAN_PGBOUNCER may name it')
  return testApi({ MERIDIAN_TEST_POOLER: program, MERIDIAN_TEST_POOLING: 'transaction' })
}

/** @returns {Promise<Counts>} */
async function testWithNames() {
  const program = await findPooler((version) => version >= 121)
  if (program === undefined) return missing('PgBouncer 1.21 or newer; MERIDIAN_PGBOUNCER may name it')
  return testApi({ MERIDIAN_TEST_POOLER: program, MERIDIAN_TEST_POOLING: 'session' })
}

/** @returns {Promise<Counts>} */
async function testOnPostgres15() {
  if (!existsSync(join(postgres15, 'bin/postgres')))
    return missing(`PostgreSQL 15 in ${postgres15}; MERIDIAN_POSTGRES_15 may name it`)
  return testApi({ MERIDIAN_TEST_POSTGRES: postgres15 })
}

/** The API's tests on the databases that companies run; usually they have the embedded one, without a pooler. */
export const databaseStages = [
  { name: 'API through PgBouncer in transaction mode, no named statements', run: testWithoutNames },
  { name: 'API through PgBouncer in transaction mode, named statements', run: testWithNames },
  { name: 'API on PostgreSQL 15', run: testOnPostgres15 },
]
