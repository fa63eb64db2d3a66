import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { readJson } from './read-json.ts'

/** A process, told apart from a later one with the same number (numbers start over in every container). */
export type ProcessIdentity = { pid: number; startedAt: string }

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
