import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { firstPieceOf, piecesIn } from './archived-log.ts'
import { type Backup, backupPlaces, copyPlaces, listBackups } from './backups.ts'

export type Pruned = { backups: readonly Backup[]; pieces: number }

/**
 * Removes all but the newest base backups, and the pieces of the log that none of those needs. What tells one timeline
 * from another stays: it is a few bytes.
 * @throws RangeError where none would be kept
 */
export function pruneBackups(folder: string, keep: number): Pruned {
  if (!(Number.isSafeInteger(keep) && keep > 0)) throw new RangeError('at least one backup is kept')
  const all = listBackups(folder)
  const [older, kept] = [all.slice(0, -keep), all.slice(-keep)]
  const { log, bases } = backupPlaces(folder)
  for (const backup of older) rmSync(backup.folder, { recursive: true })
  // A backup that was broken off left a folder that nobody finishes; one that is being made now is newer than any other.
  for (const name of readdirSync(bases))
    if (name.endsWith('.unfinished') && join(bases, name) < (kept.at(-1)?.folder ?? ''))
      rmSync(join(bases, name), { recursive: true })
  // A restored database counts on from an earlier position: the newest backup does not always begin last.
  const needed = kept.map(({ folder: backup }) => firstPieceOf(copyPlaces(backup).cluster).slice(8)).sort()
  const unneeded = piecesIn(log).filter((name) => name.slice(8) < (needed[0] ?? ''))
  for (const name of unneeded) rmSync(join(log, name))
  return { backups: older, pieces: unneeded.length }
}
