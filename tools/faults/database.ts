import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scheduler } from 'node:timers/promises'
import { runtimeRole } from '@meridian/db/runtime-role'
import { type Embedded, ensureEmbedded } from '@meridian/embedded-postgres'
import { config } from './config.ts'

export type Database = {
  databaseUrl: string
  /** Ends the server as a power cut does, and starts it again. */
  killAndStart: () => Promise<void>
  /** Stops the server with everything that is under way, and starts it again. */
  stopAndStart: () => Promise<void>
  stop: () => Promise<void>
}

const patienceMs = 60_000
const awayMs = 2_000

/** After a kill the server's orphans need a moment until they notice; meanwhile it refuses to start. */
async function startAgain(start: () => Promise<Embedded>): Promise<Embedded> {
  for (const patienceEnds = Date.now() + patienceMs; ; await scheduler.wait(200)) {
    try {
      return await start()
    } catch (error) {
      if (Date.now() > patienceEnds) throw error
    }
  }
}

/** The embedded PostgreSQL, or the one that was named, with all its ordinary settings, in a folder of its own. */
export async function openDatabase(folder: string): Promise<Database> {
  const dataFolder = join(folder, 'postgres')
  mkdirSync(dataFolder)
  // As root, the server runs as another user, who must be able to pass.
  for (const place of [folder, dataFolder]) chmodSync(place, 0o755)
  const start = () =>
    ensureEmbedded({
      memberOf: runtimeRole,
      dataFolder,
      database: 'faults',
      ...(config.postgres && { binaries: config.postgres }),
    })
  const { databaseUrl } = await start()
  const again = async () => {
    await scheduler.wait(awayMs)
    const started = await startAgain(start)
    if (started.databaseUrl !== databaseUrl) throw new Error('The database came back at another address')
  }
  const stop = async () => (await start()).stop()
  return {
    databaseUrl,
    killAndStart: () => {
      const [pid] = readFileSync(join(dataFolder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
      return again()
    },
    stopAndStart: async () => {
      await stop()
      await again()
    },
    stop,
  }
}
