import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { memberOf, readJson } from './read-json.ts'

/** One finished base backup, and from when on it can be rolled forward. */
export type Backup = { folder: string; finishedAt: Date; bytes: number }

/** Where a backup folder keeps what: the archived log of changes, and base backups by the time they ended. */
export const backupPlaces = (folder: string) => ({ log: join(folder, 'wal'), bases: join(folder, 'base') })

export const manifestFile = 'backup.json'

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
export const archiveCommand = (folder: string): string => {
  const { log } = backupPlaces(folder)
  return `test ! -f "${log}/%f" && cp "%p" "${log}/%f.part" && mv "${log}/%f.part" "${log}/%f"`
}

/** Fetches a piece of the log: from the archive, or from what the replaced cluster had not archived yet. */
export const restoreCommand = (folder: string, replaced: string | null): string => {
  const archived = `cp "${backupPlaces(folder).log}/%f" "%p"`
  return replaced === null ? archived : `${archived} || cp "${replaced}/pg_wal/%f" "%p"`
}
