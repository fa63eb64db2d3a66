import type { ProcessIdentity } from './process-identity.ts'
import { readJson } from './read-json.ts'

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
