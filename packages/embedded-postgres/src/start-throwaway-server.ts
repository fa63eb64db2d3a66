import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, clusterAddress, findAccount, isRoot } from './cluster.ts'
import { rootsFolder } from './cluster-files.ts'
import { createClusterIfMissing } from './create-cluster.ts'
import { findBinaries, findBinariesOr } from './find-binaries.ts'
import { startGuard } from './guard.ts'
import { type Rewinding, rewinding } from './rewind-server.ts'
import { startOnFreePort } from './start-server.ts'

const script = `
cat > /dev/null
lock="$1/cluster/postmaster.pid"
pid=$(head -n 1 "$lock" 2> /dev/null) && kill -QUIT "$pid"
tries=0
while [ -e "$lock" ] && kill -0 "$pid" && [ $tries -lt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
rm -rf "$1"
`

/** Stops the server below this folder and removes the folder, on `cleanUp` or else when this process is gone. */
export const guardServer = (home: string) => startGuard(script, [home])

export type ThrowawayServer = { databaseUrl: string; rewinding: Rewinding; stop(): Promise<void> }

/** Nothing here outlives the run, so nothing has to survive a power cut. */
export const hastySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  autovacuum_naptime: '10min',
  // Far from UTC, where Meridian's servers stand: what relies on the time zone of the session fails its tests.
  timezone: 'Asia/Shanghai',
}

const memoryFolder = '/dev/shm'
// A usual run of all tests holds a few hundred megabytes.
const leastFreeBytes = 4 * 1024 ** 3

/**
 * Whether a throwaway server fits into Linux's folder in memory. On a disk most of what a cloned database costs is the
 * file system: ext4 gives no inode away again in the first seconds after its file was deleted, and for each of a clone's
 * thousand files it looks past all those of the databases that were dropped just before. Programs must be allowed to
 * run from there, which many containers forbid (noexec): the folder may hold the server's own.
 */
function fitsIntoMemory(): boolean {
  try {
    const [, options = 'noexec'] = / \/dev\/shm tmpfs (\S+)/.exec(readFileSync('/proc/mounts', 'utf8')) ?? []
    const { bavail, bsize } = statfsSync(memoryFolder)
    const freeBytes = Math.min(bavail * bsize, process.availableMemory())
    return !options.split(',').includes('noexec') && freeBytes >= leastFreeBytes
  } catch {
    return false
  }
}

const folderOnDisk = () => (isRoot() ? '/tmp' : tmpdir())

/** Where the standby of a server with this data directory goes: it becomes as large as that one. */
export const parentLike = (folder: string): string =>
  folder.startsWith(`${memoryFolder}/`) ? memoryFolder : folderOnDisk()

/** A folder in this one; whatever server runs below it is stopped and the folder removed when this process ends. */
export function openThrowawayHome(parent: string) {
  const home = mkdtempSync(join(parent, 'meridian-test-'))
  // The server's own user must be able to pass.
  chmodSync(home, 0o755)
  return { home, ...guardServer(home) }
}

/**
 * A PostgreSQL server in a temporary folder, gone with its data when this process ends, however it ends. `binaries` is the
 * folder with the `bin` of another PostgreSQL than the embedded one, `settings` are further lines of its configuration; one
 * that will hold gigabytes is `large`.
 */
export async function startThrowawayServer(
  binaries?: string,
  settings: Cluster['settings'] = {},
  { large = false }: { large?: boolean } = {},
): Promise<ThrowawayServer> {
  const { home, cleanUp } = openThrowawayHome(!large && fitsIntoMemory() ? memoryFolder : folderOnDisk())
  try {
    const throwaway = describeThrowaway(home, binaries)
    const cluster = { ...throwaway, settings: { ...throwaway.settings, ...settings } }
    await createClusterIfMissing(cluster, ['--no-sync'])
    const { port } = await startOnFreePort(cluster)
    const databaseUrl = clusterAddress(cluster, { port, database: 'postgres' })
    return { databaseUrl, rewinding: rewinding(cluster, port), stop: cleanUp }
  } catch (error) {
    await cleanUp()
    throw error
  }
}

/** The server of such a folder. */
export const describeThrowaway = (home: string, binaries: string | undefined): Cluster => ({
  account: findAccount(),
  binaries: binaries ?? (isRoot() ? findBinaries(rootsFolder) : findBinariesOr(home)),
  folder: join(home, 'cluster'),
  passwordFile: join(home, 'password'),
  log: join(home, 'server.log'),
  settings: hastySettings,
})
