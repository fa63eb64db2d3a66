import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Backup, copyPlaces, listBackups, restoreCommand } from './backups.ts'
import {
  type Cluster,
  clusterAddress,
  EmbeddedPostgresError,
  refuseWithoutPassword,
  withConnection,
} from './cluster.ts'
import { copyCluster, handOver, placesIn } from './cluster-files.ts'
import { describeCluster } from './ensure-embedded.ts'
import { findPostmaster, stopPostmaster } from './postmaster.ts'
import { holdLock } from './process-lock.ts'
import { startOnFreePort } from './start-server.ts'

export type Restoration = {
  /** The base backup it began with. */
  backup: Backup
  /** The last change that is there again; null when the backup was followed by none. */
  lastChangeAt: Date | null
  /** Where the data that were there before lie now; null when there were none. */
  replaced: string | null
}

type Wanted = { home: string; folder: string; to: Date | null }

/**
 * Brings the embedded database back to a moment, or to the last change that is archived: the newest base backup
 * before it, then every change up to it. The data that were there are kept aside. The server must not run; it does not
 * run afterwards.
 * @throws EmbeddedPostgresError when the server runs, or when no backup reaches back that far
 */
export async function restoreBackup({ home, folder, to }: Wanted): Promise<Restoration> {
  const places = placesIn(home)
  return holdLock(places.lock, async () => {
    if (findPostmaster(places.cluster))
      throw new EmbeddedPostgresError('The database runs: stop Meridian first')
    const backup = listBackups(folder).findLast(({ finishedAt }) => to === null || finishedAt <= to)
    if (!backup) throw new EmbeddedPostgresError(`There is no backup in ${folder} from before that moment`)
    const cluster = describeCluster(places)
    refuseWithoutPassword(cluster)
    const replaced = setAside(places.cluster)
    copyCluster(copyPlaces(backup.folder).cluster, places.cluster, cluster.account)
    const lastChangeAt = await rollForward(cluster, { folder, to, replaced })
    return { backup, lastChangeAt, replaced }
  })
}

function setAside(clusterFolder: string): string | null {
  if (!existsSync(clusterFolder)) return null
  const replaced = `${clusterFolder}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  renameSync(clusterFolder, replaced)
  return replaced
}

type Target = { folder: string; to: Date | null; replaced: string | null }

async function rollForward(cluster: Cluster, { folder, to, replaced }: Target): Promise<Date | null> {
  const signal = join(cluster.folder, 'recovery.signal')
  writeFileSync(signal, '', { mode: 0o600 })
  handOver(signal, cluster.account)
  const settings = {
    ...cluster.settings,
    restore_command: restoreCommand(folder, replaced),
    recovery_target_action: 'promote',
    // Until the end nobody may look in, so that "ready" means that the end is reached.
    hot_standby: 'off',
    // At this point the server knows no names of time zones, not even Z.
    ...(to && { recovery_target_time: to.toISOString().replace('Z', '+00:00') }),
  }
  const { port } = await startOnFreePort({ ...cluster, settings, startTimeoutMs: recoveryTimeoutMs })
  try {
    return await withConnection(clusterAddress(cluster, { port, database: 'postgres' }), async (client) => {
      const { rows } = await client.query<{ at: Date | null }>('SELECT pg_last_xact_replay_timestamp() AS at')
      return rows[0]?.at ?? null
    })
  } finally {
    await stopPostmaster(cluster.folder)
  }
}

/** How long the changes since a base backup may take to be replayed. */
export const recoveryTimeoutMs = 6 * 3_600_000
