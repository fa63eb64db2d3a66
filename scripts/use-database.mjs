import { tsImport } from 'tsx/esm/api'
import { checkout } from './checkout.mjs'
import { readSecretFile } from './read-settings.mjs'
import { Refusal } from './refusal.mjs'
import { say } from './show-progress.mjs'

/** @typedef {{ databaseUrl: string, runtimeUrl: string, erasureListFile?: string, startedHere: boolean, stop: () => Promise<void> }} UsedDatabase */

/**
 * The database of DATABASE_URL or else the embedded one, started when nobody has started it yet.
 * @param {import('./read-settings.mjs').Settings} settings
 * @returns {Promise<UsedDatabase>}
 */
export async function useDatabase(settings) {
  const databaseUrl = settings.DATABASE_URL ?? readSecretFile(settings, 'DATABASE_URL')
  if (databaseUrl !== undefined)
    return { databaseUrl, runtimeUrl: databaseUrl, startedHere: false, stop: async () => undefined }
  /** @type {typeof import('@meridian/embedded-postgres')} */
  const { ensureEmbedded } = await tsImport('@meridian/embedded-postgres', import.meta.url)
  /** @type {typeof import('@meridian/db/runtime-role')} */
  const { runtimeRole } = await tsImport('@meridian/db/runtime-role', import.meta.url)
  try {
    return await ensureEmbedded({
      memberOf: runtimeRole,
      checkoutFolder: checkout,
      log: (line) => say(`  ${line}`),
    })
  } catch (error) {
    if (error instanceof Error && error.name === 'EmbeddedPostgresError') throw new Refusal(error.message)
    throw error
  }
}
