import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootsFolder } from './choose-places.ts'
import type { Cluster } from './cluster.ts'
import { clusterAddress } from './cluster-address.ts'
import { createClusterIfMissing } from './create-cluster.ts'
import { findAccount, isRoot } from './find-account.ts'
import { findBinaries, findBinariesOr } from './find-binaries.ts'
import { guardServer } from './guard-server.ts'
import { startOnFreePort } from './start-server.ts'

export type ThrowawayServer = { databaseUrl: string; stop(): Promise<void> }

// Nothing here outlives the run, so nothing has to survive a power cut.
const hastySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  autovacuum_naptime: '10min',
}

/** A PostgreSQL server in a temporary folder, gone with its data when this process ends, however it ends. */
export async function startThrowawayServer(): Promise<ThrowawayServer> {
  const home = mkdtempSync(join(isRoot() ? '/tmp' : tmpdir(), 'meridian-test-'))
  const guard = guardServer(home)
  try {
    const cluster = describeCluster(home)
    await createClusterIfMissing(cluster, ['--no-sync'])
    const { port } = await startOnFreePort(cluster)
    return { databaseUrl: clusterAddress(cluster, { port, database: 'postgres' }), stop: guard.cleanUp }
  } catch (error) {
    await guard.cleanUp()
    throw error
  }
}

function describeCluster(home: string): Cluster {
  // The server's own user must be able to pass.
  chmodSync(home, 0o755)
  return {
    account: findAccount(),
    binaries: isRoot() ? findBinaries(rootsFolder) : findBinariesOr(home),
    folder: join(home, 'cluster'),
    passwordFile: join(home, 'password'),
    log: join(home, 'server.log'),
    settings: hastySettings,
  }
}
