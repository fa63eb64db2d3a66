import pg from 'pg'
import type { Migration } from './migration-record.ts'

/**
 * What to tell about a migration that failed: its name, what the server says, and where, as far as the server knows.
 * `sql` is what was sent, where that was not the whole file.
 */
export function migrationFailure({ name, sql }: Pick<Migration, 'name' | 'sql'>, error: unknown): Error {
  return new Error(`Migration ${name} failed: ${reasonOf(error, sql)}`, { cause: error })
}

function reasonOf(error: unknown, sql: string): string {
  if (error instanceof pg.DatabaseError) return describe(error, sql)
  return error instanceof Error ? error.message : String(error)
}

function describe(
  { severity, message, position, detail, hint, where }: pg.DatabaseError,
  sql: string,
): string {
  const lines = [
    detail && `Detail: ${detail}`,
    hint && `Hint: ${hint}`,
    position && placeOf(sql, Number(position)),
    where && `Context: ${where}`,
  ]
  return [`${severity ?? 'ERROR'}: ${message}`, ...lines.filter(Boolean)].join('\n')
}

// The server counts characters, not UTF-16 units, from 1.
function placeOf(sql: string, position: number): string {
  const before = Array.from(sql)
    .slice(0, position - 1)
    .join('')
    .split('\n')
  const text = sql.split('\n')[before.length - 1] ?? ''
  return `Line ${before.length}, column ${Array.from(before.at(-1) ?? '').length + 1}: ${text.trim()}`
}
