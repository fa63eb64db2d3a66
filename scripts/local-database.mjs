import { tsImport } from 'tsx/esm/api'
import { runTurbo } from './build-programs.mjs'
import { hasAnyOf, hasDatabase, readSettings } from './read-settings.mjs'
import { Refusal } from './refusal.mjs'
import { useDatabase } from './use-database.mjs'

/** @typedef {import('./use-database.mjs').UsedDatabase} UsedDatabase */

/**
 * Lends the embedded database of this checkout to a command that nobody wants to run on a database of value.
 * @template T
 * @param {string} command
 * @param {(database: UsedDatabase) => Promise<T>} work
 * @returns {Promise<T>}
 * @throws Refusal where settings lead to another database or platform, or where real payments are stored in this one
 */
export async function withLocalDatabase(command, work) {
  const settings = readSettings()
  refuseForeignSettings(command, settings)
  const database = await useDatabase(settings)
  try {
    const real = await countRealOrders(database.databaseUrl)
    if (real > 0)
      throw new Refusal(
        `${command} refuses: this database holds ${real} orders of a payment platform that is no sandbox.`,
      )
    return await work(database)
  } finally {
    await database.stop()
  }
}

/** @param {string} command @param {import('./read-settings.mjs').Settings} settings */
export function refuseForeignSettings(command, settings) {
  if (hasDatabase(settings))
    throw new Refusal(
      `${command} refuses: DATABASE_URL is set, and it works on the embedded database of this checkout alone.`,
    )
  if (hasAnyOf(settings, 'WECHAT_'))
    throw new Refusal(
      `${command} refuses: a merchant account is configured (WECHAT_*), so payments here may be real.`,
    )
}

/**
 * Orders remember the platform they were made at; sandboxes are on this machine.
 * @param {string} databaseUrl
 */
async function countRealOrders(databaseUrl) {
  return queryOnce(databaseUrl, async (pool) => {
    const { rows: tables } = await pool.query(`SELECT to_regclass('public.orders') IS NOT NULL AS there`)
    if (!tables[0]?.there) return 0
    const { rows } = await pool.query(
      `SELECT count(*)::int AS count FROM orders WHERE platform_host !~ '^(127\\.0\\.0\\.1|localhost|\\[::1\\])(:\\d+)?$'`,
    )
    return Number(rows[0]?.count ?? 0)
  })
}

/**
 * @template T
 * @param {string} databaseUrl
 * @param {(pool: import('@meridian/db').Pool) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function queryOnce(databaseUrl, work) {
  await runTurbo(['run', 'generate'])
  /** @type {typeof import('@meridian/db')} */
  const { openPool } = await tsImport('@meridian/db', import.meta.url)
  const pool = openPool(databaseUrl, { applicationName: 'meridian-scripts', maxConnections: 1 })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
