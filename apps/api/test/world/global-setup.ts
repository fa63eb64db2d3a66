import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTestCluster } from '@meridian/db/testing'
import { generatePlatformKeys } from '@meridian/payments/testing'
import { keepPlatformKeys } from './platform-keys.ts'
import { prepareDatabase } from './prepare-database.ts'

/** The programs as they ship, bundled once: started from their sources each would take seconds longer. */
async function bundlePrograms(): Promise<string> {
  const folder = join(
    import.meta.dirname,
    `../../../../node_modules/.cache/meridian-api-tests/${process.pid}`,
  )
  await promisify(execFile)(process.execPath, ['build.mjs', folder], {
    cwd: join(import.meta.dirname, '../..'),
  })
  process.env['MERIDIAN_TEST_PROGRAMS'] = folder
  return folder
}

/** One throw-away PostgreSQL with a migrated, seeded template; each test world is a clone of it. */
export default async function startCluster() {
  keepPlatformKeys(generatePlatformKeys())
  const programs = await bundlePrograms()
  const cluster = await startTestCluster({ prepare: prepareDatabase })
  return async () => {
    await cluster.stop()
    await rm(programs, { recursive: true, force: true })
  }
}
