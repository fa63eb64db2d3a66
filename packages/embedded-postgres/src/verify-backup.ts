import { chmodSync, mkdtempSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { cameTo, lastPieceIn, logBytesSince } from './archived-log.ts'
import { type Backup, backupPlaces, copyPlaces, countOf, restoreCommand } from './backups.ts'
import {
  type Cluster,
  clusterAddress,
  EmbeddedPostgresError,
  refuseWithoutPassword,
  withConnection,
} from './cluster.ts'
import { copyCluster, handOver, placesIn } from './cluster-files.ts'
import { describeCluster } from './ensure-embedded.ts'
import { findDamage } from './file-checksums.ts'
import { recoveryTimeoutMs } from './restore-backup.ts'
import { startOnFreePort } from './start-server.ts'
import { guardServer, hastySettings } from './start-throwaway-server.ts'

export type Verification = {
  /** Of the embedded database, whose password the restored one has too. */
  home: string
  /** Where the backups and the archived log are kept. */
  folder: string
  backup: Backup
  /** Below this folder the backup is restored, and removed in the end. */
  scratch: string
  /** Gets the restored database, to prove what else must hold; it throws where something does not. */
  prove: (databaseUrl: string) => Promise<void>
  /** How many bytes a folder's disk has left for us; asked of the system when absent. */
  freeBytesOf?: (folder: string) => number
}

export type Verified = {
  /** The last change that the restored copy had; null when the backup was followed by none. */
  lastChangeAt: Date | null
  /** How many tables were read to their last page. */
  tables: number
}

/**
 * Restores a base backup with every change archived since into a server of its own, and holds it against what was
 * recorded when it was taken: each file's SHA-256, the log to its last archived piece, every page of every table, the
 * rows of the counted tables. The copy is gone when this ends, however it ends; database and backup are only read.
 * @throws EmbeddedPostgresError with the first thing that does not hold, or when the disk has too little room
 */
export async function verifyBackup(wanted: Verification): Promise<Verified> {
  const { backup, folder, scratch } = wanted
  const { cluster: copy, list } = copyPlaces(backup.folder)
  const { log } = backupPlaces(folder)
  refuseWithoutRoom(wanted, backup.bytes + logBytesSince(log, copy) + spareBytes)
  const damage =
    backup.recorded &&
    (await findDamage({ folder: copy, listFile: list, listChecksum: backup.recorded.listChecksum }))
  if (damage) throw new EmbeddedPostgresError(damage)
  const lastPiece = lastPieceIn(log)
  const place = mkdtempSync(join(scratch, 'verify-'))
  const guard = guardServer(place)
  try {
    const { cluster, port } = await recover(place, wanted)
    const addressOf = (database: string) => clusterAddress(cluster, { port, database })
    await withConnection(addressOf('postgres'), (client) => refuseShortLog(client, lastPiece))
    const database = addressOf(backup.recorded?.database ?? 'meridian')
    const verified = await withConnection(database, async (client) => {
      const tables = await readEveryTable(client)
      await refuseMissingRows(client, backup)
      return { tables, lastChangeAt: await lastChangeOf(client) }
    })
    await wanted.prove(database)
    return verified
  } finally {
    await guard.cleanUp()
  }
}

/** The log that a recovery keeps for itself, and what sorting and the checks may write. */
const spareBytes = 512 * 1024 * 1024
const logKept = { max_wal_size: '128MB', min_wal_size: '80MB' }

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`

function refuseWithoutRoom({ scratch, freeBytesOf = freeBytes }: Verification, neededBytes: number): void {
  const free = freeBytesOf(scratch)
  if (free >= neededBytes) return
  throw new EmbeddedPostgresError(
    `Restoring it takes ${megabytes(neededBytes)} in ${scratch}, which has ${megabytes(free)} left`,
  )
}

async function recover(place: string, { home, folder, backup }: Verification) {
  // The server's own user must be able to pass.
  chmodSync(place, 0o755)
  const own = describeCluster(placesIn(home))
  refuseWithoutPassword(own)
  const cluster: Cluster = {
    ...own,
    folder: join(place, 'cluster'),
    log: join(place, 'server.log'),
    startTimeoutMs: recoveryTimeoutMs,
    settings: {
      ...hastySettings,
      ...logKept,
      // The archive belongs to the database that is backed up: the copy only reads it.
      archive_mode: 'off',
      restore_command: restoreCommand(folder, null),
      recovery_target_action: 'promote',
      // Until the end nobody may look in, so that "ready" means that the end is reached.
      hot_standby: 'off',
    },
  }
  copyCluster(copyPlaces(backup.folder).cluster, cluster.folder, cluster.account)
  const signal = join(cluster.folder, 'recovery.signal')
  writeFileSync(signal, '', { mode: 0o600 })
  handOver(signal, cluster.account)
  const { port } = await startOnFreePort(cluster)
  return { cluster, port }
}

/** Recovery takes a damaged or missing piece of the log for its end, and says nothing. */
async function refuseShortLog(client: pg.Client, lastPiece: string | null): Promise<void> {
  const { rows } = await client.query<{ at: string }>('SELECT pg_last_wal_replay_lsn()::text AS at')
  const position = rows[0]?.at ?? '0/0'
  if (lastPiece === null || cameTo(position, lastPiece)) return
  throw new EmbeddedPostgresError(
    `The archived log breaks off at ${position}, before its last piece ${lastPiece}: a piece between is damaged or missing`,
  )
}

async function lastChangeOf(client: pg.Client): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>('SELECT pg_last_xact_replay_timestamp() AS at')
  return rows[0]?.at ?? null
}

/** Reads each table, and what is stored beside it, to its last page: PostgreSQL checks a page whenever it reads one. */
async function readEveryTable(client: pg.Client): Promise<number> {
  await client.query(
    'SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off',
  )
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'm', 't') AND relpersistence = 'p'`,
  )
  for (const { name } of rows) {
    await countOf(client, name).catch((error: unknown) => {
      throw new EmbeddedPostgresError(
        `${name} cannot be read: ${error instanceof Error ? error.message : error}`,
      )
    })
  }
  return rows.length
}

async function refuseMissingRows(client: pg.Client, { recorded }: Backup): Promise<void> {
  for (const [table, rows] of Object.entries(recorded?.rows ?? {})) {
    const found = await countOf(client, client.escapeIdentifier(table))
    if (found < rows)
      throw new EmbeddedPostgresError(`${table} has ${found} rows, at the backup it had ${rows}`)
  }
}
