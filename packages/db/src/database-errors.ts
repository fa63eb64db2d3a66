import { setTimeout as pause } from 'node:timers/promises'

// What PostgreSQL answers when two transactions cannot both have been first, and Prisma's name for it.
const conflicts: ReadonlySet<unknown> = new Set(['40001', '40P01', 'P2034'])

/** The database gave up on this transaction because of another one; the same work may succeed when repeated. */
export function isConflict(error: unknown): boolean {
  return conflicts.has(read(error, 'code')) || conflicts.has(read(driverCause(error), 'originalCode'))
}

/** The name of the unique constraint or index that a write ran into; null when the error is something else. */
export function uniqueViolation(error: unknown): string | null {
  const cause = driverCause(error)
  const [code, name] =
    cause === undefined
      ? [read(error, 'code'), read(error, 'constraint')]
      : [read(cause, 'originalCode'), read(read(cause, 'constraint'), 'index')]
  return code === '23505' && typeof name === 'string' ? name : null
}

/** The name of the check, of a table or of a trigger, that a write failed; null when the error is something else. */
export function checkViolation(error: unknown): string | null {
  const name = read(error, 'constraint')
  return read(error, 'code') === '23514' && typeof name === 'string' ? name : null
}

const lostCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|08\w{3}|57P0[1-3]|P1001|P1008|P1017)$/
const lostWords = /connection (terminated|ended)|connection error and is not queryable/i

/** The server could not be reached, or went away under the statement (class 08, 57P01 to 57P03); another may be there. */
export function isConnectionLost(error: unknown): boolean {
  const codes = [read(error, 'code'), read(driverCause(error), 'originalCode')]
  if (codes.some((code) => lostCodes.test(String(code)))) return true
  return error instanceof Error && lostWords.test(error.message)
}

/** The statement was stopped because it ran longer than `statement_timeout` allows (57014). */
export function isStatementTimeout(error: unknown): boolean {
  return read(error, 'code') === '57014' || read(driverCause(error), 'originalCode') === '57014'
}

/**
 * The statement was refused for what it holds, and would be again: data (22), constraints (23), limits of the program
 * (54), or a rule that a trigger guards (P0001).
 */
export const isRefusedContent = (error: unknown): boolean =>
  /^(22...|23...|54...|P0001)$/.test(String(read(error, 'code')))

/**
 * Runs the work again, from its beginning, when the database refused it for the sake of another transaction
 * (serialization failure 40001, deadlock 40P01, Prisma's P2034). The work must be a whole transaction.
 * @throws whatever the work throws: another error at once, a conflict after the last attempt (5 by default)
 */
export async function retryOnConflict<T>(work: () => Promise<T>, attempts = 5): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= attempts || !isConflict(error)) throw error
      await pause(Math.random() * 10 * 2 ** attempt)
    }
  }
}

function driverCause(error: unknown): unknown {
  return read(read(read(error, 'meta'), 'driverAdapterError'), 'cause')
}

function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
