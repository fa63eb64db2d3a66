import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { EmbeddedPostgresError } from './cluster.ts'
import { readJson } from './cluster-files.ts'

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

/** A process, told apart from a later one with the same number (numbers start over in every container). */
type ProcessIdentity = { pid: number; startedAt: string }

/** Who we are. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startedAt: startOf(process.pid) ?? '' }
}

export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  return isPidAlive(pid) && (startOf(pid) ?? startedAt) === startedAt
}

export function isPidAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It lives, but belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The words a process was started with; null where the system does not tell. */
export function commandOf(pid: number): string | null {
  if (existsSync('/proc/self/cmdline')) return readOrNull(`/proc/${pid}/cmdline`)
  return ask('ps', ['-o', 'args=', '-p', String(pid)])
}

/** The folder a process works in; null where the system does not tell us. */
export function workingFolderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

function startOf(pid: number): string | null {
  const stat = readOrNull(`/proc/${pid}/stat`)
  if (stat === null) return ask('ps', ['-o', 'lstart=', '-p', String(pid)])
  // The name, in brackets, may hold anything; after it, the start in clock ticks since boot is the 20th field.
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return `${readOrNull('/proc/sys/kernel/random/boot_id')?.trim()}/${ticks}`
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function ask(program: string, parameters: string[]): string | null {
  try {
    return execFileSync(program, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}

/** The process that a file names; null when there is no such file or nothing sensible in it. */
export function readIdentity(file: string): ProcessIdentity | null {
  try {
    const value: unknown = readJson(file)
    return isIdentity(value) ? value : null
  } catch {
    return null
  }
}

export function isSame(one: ProcessIdentity | null, other: ProcessIdentity): boolean {
  return one?.pid === other.pid && one.startedAt === other.startedAt
}

function isIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null) return false
  return (
    'pid' in value &&
    Number.isInteger(value.pid) &&
    'startedAt' in value &&
    typeof value.startedAt === 'string'
  )
}
