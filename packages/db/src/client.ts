import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { type Prisma, PrismaClient } from './generated/prisma/client.ts'
import { mayPrepare } from './nameless.ts'
import { defaultTimeouts, openPool, type PoolOptions } from './open-pool.ts'
import { zonedAdapter } from './zoned-adapter.ts'

/** May open transactions. */
export type Database = PrismaClient
/** Runs inside whatever its caller opened; never opens a transaction itself. */
export type Db = Prisma.TransactionClient

export type OpenDatabase = {
  /** Made when it is first read: a client takes megabytes and tens of milliseconds, and some pools never need one. */
  readonly prisma: Database
  /** The same connections for the few statements that are written by hand. */
  pool: Pool
  /** Waits for what runs, then lets every connection go. May be called twice. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type DatabaseOptions = PoolOptions

/**
 * Opens one pool of connections and Prisma on top of it. Connects lazily: an unreachable server shows at the first query.
 * @throws Error when the address is no postgresql:// URL
 */
export function openDatabase(databaseUrl: string, options: DatabaseOptions = {}): OpenDatabase {
  const pool = openPool(databaseUrl, options)
  let client: Database | undefined
  const openClient = () => {
    const adapter = zonedAdapter(pool, mayPrepare(pool) ? { statementNameGenerator: nameStatements() } : {})
    return new PrismaClient({
      adapter,
      errorFormat: 'minimal',
      transactionOptions: transactionLimits(options),
    })
  }
  const closeBoth = async () => {
    await client?.$disconnect()
    await pool.end()
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeBoth()
    return closing
  }
  return {
    get prisma() {
      client ??= openClient()
      return client
    },
    pool,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const graceMs = 5_000

/**
 * Whoever finds no connection, or whose statement takes too long, is told so by the pool first: Prisma's own two and
 * five seconds also count the making of the client, which the first transaction of a busy process waits for.
 */
const transactionLimits = ({ connectTimeoutMs, statementTimeoutMs }: PoolOptions) => ({
  maxWait: (connectTimeoutMs ?? defaultTimeouts.connectMs) + graceMs,
  timeout: (statementTimeoutMs || defaultTimeouts.statementMs) + graceMs,
})

// Each name costs memory in every connection for as long as it lives, hence the bound; '' means unnamed.
const maximumOfNames = 1_000

function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const known = names.get(sql)
    if (known !== undefined) return known
    if (names.size >= maximumOfNames) return ''
    const name = `prisma_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`
    names.set(sql, name)
    return name
  }
}
