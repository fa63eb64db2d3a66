import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { EmbeddedPostgresError } from './cluster.ts'
import { commandOf, isPidAlive, workingFolderOf } from './process-lock.ts'

/** The server's own process, as it describes itself in its data directory. */
export type Postmaster = { pid: number; port: number; ready: boolean }

/** The server that runs on this data directory; null when none does. */
export function findPostmaster(clusterFolder: string): Postmaster | null {
  const found = readPidFile(clusterFolder)
  return found !== null && isPidAlive(found.pid) && !isAnother(found.pid, clusterFolder) ? found : null
}

/** The same, after it has done with starting up or shutting down. */
export async function settledPostmaster(clusterFolder: string): Promise<Postmaster | null> {
  for (const patienceEnds = Date.now() + 60_000; ; await pause(20)) {
    const found = findPostmaster(clusterFolder)
    if (found === null || found.ready || Date.now() > patienceEnds) return found
  }
}

/** Removes what a crash left where another program has got the dead server's number: PostgreSQL would refuse to start. */
export function removeLeftover(clusterFolder: string): void {
  const found = readPidFile(clusterFolder)
  if (found === null || !isPidAlive(found.pid) || !isAnother(found.pid, clusterFolder)) return
  rmSync(join(clusterFolder, 'postmaster.pid'), { force: true })
}

/**
 * Stops the server of this data directory, if one runs: open transactions are rolled back, what was committed is on disk.
 * @throws EmbeddedPostgresError when it has not ended after a minute
 */
export async function stopPostmaster(clusterFolder: string): Promise<void> {
  const running = findPostmaster(clusterFolder)
  if (running === null) return
  signal(running.pid)
  const patienceEnds = Date.now() + 60_000
  while (isPidAlive(running.pid) && readPidFile(clusterFolder) !== null) {
    if (Date.now() > patienceEnds)
      throw new EmbeddedPostgresError(`PostgreSQL (process ${running.pid}) does not stop`)
    await pause(10)
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGINT')
  } catch (cause) {
    if (!isPidAlive(pid)) return
    throw new EmbeddedPostgresError(
      `PostgreSQL (process ${pid}) belongs to another user and cannot be stopped`,
      { cause },
    )
  }
}

function readPidFile(clusterFolder: string): Postmaster | null {
  try {
    const [pid, , , port, , , , status] = readFileSync(join(clusterFolder, 'postmaster.pid'), 'utf8').split(
      '\n',
    )
    return { pid: Number(pid), port: Number(port), ready: status?.trim() === 'ready' }
  } catch {
    return null
  }
}

// Whether this process is certainly not the server of this folder. Two servers on one folder would destroy it, so
// in doubt the answer is no. A server's working directory is its data directory, even after that was renamed.
function isAnother(pid: number, clusterFolder: string): boolean {
  const workingFolder = workingFolderOf(pid)
  if (workingFolder !== null) return workingFolder !== realpathSync(clusterFolder)
  const command = commandOf(pid)
  return command !== null && !command.includes('postgres')
}
