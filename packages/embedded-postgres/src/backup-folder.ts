import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

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
  const manifest: { finished_at: string; bytes: number } = JSON.parse(
    readFileSync(join(folder, manifestFile), 'utf8'),
  )
  return { folder, finishedAt: new Date(manifest.finished_at), bytes: manifest.bytes }
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
