import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askOne, type Cluster, clusterAddress } from './cluster.ts'
import { handOver } from './cluster-files.ts'
import { stopPostmaster } from './postmaster.ts'
import { startOnFreePort } from './start-server.ts'

export type Rewinding = {
  /** Stops the server, keeps a copy of its files as they are now, and starts it again on its port. */
  keepCopy: () => Promise<void>
  /** Stops the server for good: everything since the copy is lost. */
  lose: () => Promise<void>
  /**
   * Starts the server from the copy, on its port: on the same timeline at an earlier position, as a volume that was put
   * back does; or promoted on a new timeline, as a standby does that had got no more than the copy.
   */
  startFromCopy: (how?: { promoted?: boolean }) => Promise<void>
}

const copyFiles = (from: string, to: string) => execFileSync('cp', ['-a', from, to], { stdio: 'ignore' })

/** What takes a throwaway server back to an earlier state of its files. */
export function rewinding(cluster: Cluster, port: number): Rewinding {
  const { folder, account } = cluster
  const copy = `${folder}.copy`
  const start = async () => {
    const started = await startOnFreePort(cluster, port)
    if (started.port !== port) throw new Error(`port ${port} was taken by another program`)
  }
  const lose = async () => {
    await stopPostmaster(folder)
    rmSync(folder, { recursive: true })
  }
  return {
    keepCopy: async () => {
      await stopPostmaster(folder)
      rmSync(copy, { recursive: true, force: true })
      copyFiles(folder, copy)
      await start()
    },
    lose,
    startFromCopy: async ({ promoted = false } = {}) => {
      copyFiles(copy, folder)
      if (promoted) {
        const signal = join(folder, 'standby.signal')
        writeFileSync(signal, '')
        handOver(signal, account)
      }
      await start()
      if (promoted)
        await askOne(clusterAddress(cluster, { port, database: 'postgres' }), 'SELECT pg_promote()')
    },
  }
}
