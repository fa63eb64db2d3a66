import { existsSync } from 'node:fs'
import { tsImport } from 'tsx/esm/api'
import { checkout } from './checkout.mjs'
import { secretsFile } from './keep-secrets.mjs'
import { queryOnce } from './local-database.mjs'
import { hasDatabase, readSettings, readSettingsFile } from './read-settings.mjs'
import { Refusal } from './refusal.mjs'
import { useDatabase } from './use-database.mjs'

/** @typedef {import('./read-settings.mjs').Settings} Settings */

/**
 * Whether a start would make a DATA_KEY of its own for the embedded database: none is given, none is kept.
 * @param {Settings} given
 * @param {Settings} kept
 */
export const makesDataKey = (given, kept) =>
  !hasDatabase(given) &&
  [given.DATA_KEY, given.DATA_KEY_FILE, kept.DATA_KEY].every((key) => key === undefined)

/** @param {string} folder */
export const lostSecrets = (folder) =>
  new Refusal(
    `The database in ${folder} holds what was sealed with another DATA_KEY, and ${secretsFile} is gone: it was lost ` +
      'with an earlier checkout at this path. Put that file back, or give its DATA_KEY in the environment, to keep the ' +
      'data; or run npm run db:reset to begin with an empty database.',
  )

/**
 * The embedded database of a checkout may outlive it, as root's does below /var/lib/meridian; its secrets do not. Nothing
 * is made anew before that is said.
 * @throws Refusal
 */
export async function refuseLostSecrets() {
  const given = readSettings()
  if (!makesDataKey(given, readSettingsFile(secretsFile))) return
  /** @type {typeof import('@meridian/embedded-postgres')} */
  const { chooseHome, placesIn } = await tsImport('@meridian/embedded-postgres', import.meta.url)
  const { cluster } = placesIn(chooseHome(checkout))
  if (!existsSync(cluster)) return
  const database = await useDatabase(given)
  try {
    if (await holdsSealed(database.databaseUrl)) throw lostSecrets(cluster)
  } finally {
    await database.stop()
  }
}

/**
 * Whether a DATA_KEY was ever used on it: the API seals a word when it first starts.
 * @param {string} databaseUrl
 * @returns {Promise<boolean>}
 */
export function holdsSealed(databaseUrl) {
  return queryOnce(databaseUrl, async (pool) => {
    const { rows: tables } = await pool.query(`SELECT to_regclass('public.sealed_keys') IS NOT NULL AS there`)
    if (!tables[0]?.there) return false
    const { rows } = await pool.query('SELECT EXISTS (SELECT FROM sealed_keys) AS sealed')
    return rows[0]?.sealed === true
  })
}
