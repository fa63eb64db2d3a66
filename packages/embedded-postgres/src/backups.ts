import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { EmbeddedPostgresError, findAccount, withConnection } from './cluster.ts'
import { copyCluster, handOver, makePassableFolder, memberOf, readJson } from './cluster-files.ts'
import { writeChecksums } from './file-checksums.ts'
import { recordBackup } from './record-backup.ts'

/** One finished base backup, and from when on it can be rolled forward. */
export type Backup = {
  folder: string
  finishedAt: Date
  bytes: number
  /** What a check of it is held against; null for one of an earlier release, which kept nothing to check. */
  recorded: Recorded | null
}

type Recorded = {
  /** The database whose tables were counted. */
  database: string
  /** How many rows a table had at the end of the backup, so that it has no fewer when it is restored. */
  rows: Readonly<Record<string, number>>
  /** SHA-256 of the list of all files with theirs. */
  listChecksum: string
}

/** Where a backup folder keeps what: the archived log of changes, and base backups by the time they ended. */
export const backupPlaces = (folder: string) => ({ log: join(folder, 'wal'), bases: join(folder, 'base') })

/** Where one base backup keeps what: the copied data directory, and the list of its files. */
export const copyPlaces = (backup: string) => ({
  cluster: join(backup, 'cluster'),
  list: join(backup, 'files.sha256'),
})

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
  return { folder, finishedAt: new Date(finishedAt), bytes, recorded: readRecorded(manifest) }
}

function readRecorded(manifest: unknown): Recorded | null {
  const [database, counted, listChecksum] = ['database', 'rows', 'files_sha256'].map((name) =>
    memberOf(manifest, name),
  )
  if (typeof database !== 'string' || typeof listChecksum !== 'string') return null
  const rows = Object.entries(typeof counted === 'object' && counted !== null ? counted : {})
  return {
    database,
    listChecksum,
    rows: Object.fromEntries(rows.map(([name, count]) => [name, Number(count)])),
  }
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

type What = {
  /** Where the backups are kept. */
  folder: string
  /** Tables whose rows are counted, for whoever restores it to compare: such as never lose a row. */
  countedTables?: readonly string[]
}

/**
 * Takes a base backup of the running embedded database and, from the first time on, has every change archived
 * beside it. Nobody has to stop working meanwhile.
 * @throws EmbeddedPostgresError when the server was started without archiving
 */
export async function backUp(databaseUrl: string, { folder, countedTables = [] }: What): Promise<Backup> {
  const { log, bases } = backupPlaces(folder)
  for (const place of [folder, log, bases]) makePassableFolder(place)
  handOver(log, findAccount())
  const backup = await withConnection(databaseUrl, async (client) => {
    await archiveInto(client, folder)
    const started = new Date()
    const unfinished = join(bases, `${nameOf(started)}.unfinished`)
    mkdirSync(unfinished)
    await client.query(`SELECT pg_backup_start('meridian', fast => true)`)
    const { cluster, list } = copyPlaces(unfinished)
    const bytes = copyCluster(await settingOf(client, 'data_directory'), cluster, findAccount())
    const rows = await countRows(client, countedTables)
    // Waits until the archive has everything this backup needs.
    const stopped = await client.query<{ label: string }>('SELECT labelfile AS label FROM pg_backup_stop()')
    writeFileSync(join(cluster, 'backup_label'), stopped.rows[0]?.label ?? '', { mode: 0o600 })
    handOver(join(cluster, 'backup_label'), findAccount())
    const finishedAt = new Date()
    const database = decodeURIComponent(new URL(databaseUrl).pathname.slice(1))
    const recorded = { database, rows, listChecksum: await writeChecksums(cluster, list) }
    return keep(unfinished, { folder: join(bases, nameOf(started)), finishedAt, bytes, recorded })
  })
  await recordBackup(databaseUrl, backup)
  return backup
}

const nameOf = (instant: Date) => instant.toISOString().replaceAll(/[:.]/g, '-')

/** Counted before the backup ends: what is committed by then is part of it. A table that is missing is left out. */
async function countRows(client: pg.Client, tables: readonly string[]): Promise<Record<string, number>> {
  const counted: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await client.query<{ name: string | null }>('SELECT to_regclass($1)::text AS name', [
      table,
    ])
    const name = rows[0]?.name
    if (name) counted[table] = await countOf(client, name)
  }
  return counted
}

/** @param table as SQL names it, quoted where it has to be */
export async function countOf(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) AS count FROM ${table}`)
  return Number(rows[0]?.count)
}

function keep(unfinished: string, backup: Backup): Backup {
  const { finishedAt, bytes, recorded } = backup
  const manifest = {
    finished_at: finishedAt.toISOString(),
    bytes,
    ...(recorded && {
      database: recorded.database,
      rows: recorded.rows,
      files_sha256: recorded.listChecksum,
    }),
  }
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
