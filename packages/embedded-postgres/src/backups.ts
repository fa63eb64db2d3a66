import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { EmbeddedPostgresError, findAccount, withConnection } from './cluster.ts'
import { copyCluster, handOver, makePassableFolder, memberOf, readJson } from './cluster-files.ts'

/** One finished base backup, and from when on it can be rolled forward. */
export type Backup = { folder: string; finishedAt: Date; bytes: number }

/** Where a backup folder keeps what: the archived log of changes, and base backups by the time they ended. */
const backupPlaces = (folder: string) => ({ log: join(folder, 'wal'), bases: join(folder, 'base') })

const manifestFile = 'backup.json'

/** The finished base backups of a folder, oldest first. */
export function listBackups(folder: string): Backup[] {
  const { bases } = backupPlaces(folder)
  if (!existsSync(bases)) return []
  return readdirSync(bases)
    .sort()
    .map((name) => join(bases, name))
    .filter((base) => existsSync(join(base, manifestFile)))
    .map((base) => readManifest(base))
}

function readManifest(folder: string): Backup {
  const file = join(folder, manifestFile)
  const manifest = readJson(file)
  const [finishedAt, bytes] = [memberOf(manifest, 'finished_at'), memberOf(manifest, 'bytes')]
  if (typeof finishedAt !== 'string' || typeof bytes !== 'number')
    throw new EmbeddedPostgresError(`${file} does not describe a backup`)
  return { folder, finishedAt: new Date(finishedAt), bytes }
}

/** Keeps a finished piece of the log under its name: whole or not at all, never over another one. */
const archiveCommand = (folder: string): string => {
  const { log } = backupPlaces(folder)
  return `test ! -f "${log}/%f" && cp "%p" "${log}/%f.part" && mv "${log}/%f.part" "${log}/%f"`
}

/** Fetches a piece of the log: from the archive, or from what the replaced cluster had not archived yet. */
export const restoreCommand = (folder: string, replaced: string | null): string => {
  const archived = `cp "${backupPlaces(folder).log}/%f" "%p"`
  return replaced === null ? archived : `${archived} || cp "${replaced}/pg_wal/%f" "%p"`
}

/** How long a finished change may wait for its place in the archive, in seconds. */
const archivedWithinSeconds = 60

/**
 * Takes a base backup of the running embedded database and, from the first time on, has every change archived
 * beside it. Nobody has to stop working meanwhile.
 * @throws EmbeddedPostgresError when the server was started without archiving
 */
export async function backUp(databaseUrl: string, folder: string): Promise<Backup> {
  const { log, bases } = backupPlaces(folder)
  for (const place of [folder, log, bases]) makePassableFolder(place)
  handOver(log, findAccount())
  const backup = await withConnection(databaseUrl, async (client) => {
    await archiveInto(client, folder)
    const started = new Date()
    const unfinished = join(bases, `${nameOf(started)}.unfinished`)
    mkdirSync(unfinished)
    await client.query(`SELECT pg_backup_start('meridian', fast => true)`)
    const cluster = join(unfinished, 'cluster')
    const bytes = copyCluster(await settingOf(client, 'data_directory'), cluster, findAccount())
    // Waits until the archive has everything this backup needs.
    const { rows } = await client.query<{ label: string }>('SELECT labelfile AS label FROM pg_backup_stop()')
    writeFileSync(join(cluster, 'backup_label'), rows[0]?.label ?? '', { mode: 0o600 })
    handOver(join(cluster, 'backup_label'), findAccount())
    return keep(unfinished, { folder: join(bases, nameOf(started)), finishedAt: new Date(), bytes })
  })
  await recordBackup(databaseUrl, backup)
  return backup
}

const nameOf = (instant: Date) => instant.toISOString().replaceAll(/[:.]/g, '-')

function keep(unfinished: string, backup: Backup): Backup {
  const manifest = { finished_at: backup.finishedAt.toISOString(), bytes: backup.bytes }
  writeFileSync(join(unfinished, manifestFile), `${JSON.stringify(manifest)}\n`)
  renameSync(unfinished, backup.folder)
  return backup
}

async function archiveInto(client: pg.Client, folder: string): Promise<void> {
  if ((await settingOf(client, 'archive_mode')) !== 'on')
    throw new EmbeddedPostgresError(
      'The database runs without archiving: stop Meridian, then take the backup again',
    )
  const command = client.escapeLiteral(archiveCommand(folder))
  await client.query(`ALTER SYSTEM SET archive_command = ${command}`)
  await client.query(`ALTER SYSTEM SET archive_timeout = '${archivedWithinSeconds}s'`)
  await client.query('SELECT pg_reload_conf()')
}

async function settingOf(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [name])
  return rows[0]?.value ?? ''
}

/** Tells the programs that a backup was made, so that they notice when the next one stays away. */
const recordBackup = (
  databaseUrl: string,
  { finishedAt, bytes }: { finishedAt: Date; bytes: number },
): Promise<void> =>
  withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query(`SELECT to_regclass('backups') IS NOT NULL AS known`)
    // A database that was never migrated has nobody to tell.
    if (!rows[0]?.known) return
    await client.query('INSERT INTO backups (finished_at, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      finishedAt,
      bytes,
    ])
  })
