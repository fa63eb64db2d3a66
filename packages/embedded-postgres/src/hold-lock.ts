import { linkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { isAlive, isSame, ownIdentity, type ProcessIdentity, readIdentity } from './process-identity.ts'

const patienceMs = 120_000

/**
 * Does the work while no other process does work under the same lock file. A lock whose holder died is broken.
 * @throws EmbeddedPostgresError when a living holder keeps it for more than two minutes
 */
export async function holdLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const patienceEnds = Date.now() + patienceMs
  while (!tryLock(file)) {
    breakIfAbandoned(file)
    if (Date.now() > patienceEnds) throw lockedError(file)
    await pause(20)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

// The lock appears with its content in one step, so nobody ever reads half a name.
function tryLock(file: string): boolean {
  const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  writeFileSync(draft, JSON.stringify(ownIdentity()), { flag: 'wx' })
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

// Two processes may find the same dead holder. Only the one that makes the marker may remove the lock, and only
// while the lock still names that holder; so a lock taken in between is never removed.
function breakIfAbandoned(file: string): void {
  const holder = readIdentity(file)
  if (holder === null || isAlive(holder)) return
  const marker = `${file}.broken-${holder.pid}`
  if (!tryMark(marker)) return
  if (isSame(readIdentity(file), holder)) rmSync(file, { force: true })
  rmSync(marker, { force: true })
}

function tryMark(marker: string): boolean {
  try {
    writeFileSync(marker, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    if (isOld(marker)) rmSync(marker, { force: true })
    return false
  }
}

function isOld(file: string): boolean {
  const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(file, { throwIfNoEntry: false }) ?? {}
  return Date.now() - mtimeMs > 10_000
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function lockedError(file: string): EmbeddedPostgresError {
  const holder: ProcessIdentity | null = readIdentity(file)
  return new EmbeddedPostgresError(
    `Process ${holder?.pid ?? '?'} has held ${file} for two minutes; end it or remove the file`,
  )
}
