import pg from 'pg'
import { openAddress } from './database-address.ts'
import { discardBroken, type Heard } from './discard-broken.ts'
import { prepareNothing } from './nameless.ts'
import { traceStatements } from './trace-statements.ts'

/** Where the caller says nothing else. */
export const defaultTimeouts = { statementMs: 30_000, connectMs: 5_000 } as const

export type PoolOptions = Heard & {
  /** Shown in `pg_stat_activity`. */
  applicationName?: string
  maxConnections?: number
  /** So many connections stay open however long nobody needs them; none by default. */
  minConnections?: number
  /** A statement that has no answer after this long fails and its connection is thrown away; 0 waits for ever. */
  statementTimeoutMs?: number
  /** How long a caller waits for a connection, be it a free one or a new one; 5,000 by default. */
  connectTimeoutMs?: number
  /** What the server itself ends, whatever became of the caller; without them the server's own settings hold. */
  serverTimeouts?: ServerTimeouts
  /** Whether it was found out that sessions are shared with other clients, so that nothing may be set for one. */
  sharesSessions?: () => boolean
  /** Types as libraries of others expect them, `bigint` as text above all, instead of ours. */
  foreignTypes?: boolean
  /** An idle connection broke (the server restarted): the pool replaces it by itself, so this only tells. */
  onIdleError?: (error: Error) => void
}

const noTimeouts = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 } as const

/** PostgreSQL's own limits of a session, in milliseconds; 0 is none. */
export type ServerTimeouts = {
  /** `statement_timeout`: one statement, its waiting for locks included (57014). */
  statementMs: number
  /** `lock_timeout`: waiting for one lock (55P03). */
  lockMs: number
  /** `idle_in_transaction_session_timeout`: a transaction in which nothing is asked; the connection is closed (25P03). */
  idleInTransactionMs: number
}

// PostgreSQL's numbers of types: int8, int8[], date.
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [20, BigInt],
  [1016, (text) => text.slice(1, -1).split(',').filter(Boolean).map(parseBigIntOrNull)],
  [1082, (text) => text],
])

function parseBigIntOrNull(text: string): bigint | null {
  return text === 'NULL' ? null : BigInt(text)
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) => parsers.get(type) ?? pg.types.getTypeParser(type, format),
}

/** So old a connection is closed when it is given back: after a fail-over none leads to where nobody writes any more. */
const maxAgeSeconds = 900

/** A machine that left without a word is noticed after this silence and ten probes of a second each (libuv's). */
const silenceMs = 10_000

/**
 * A pool whose `bigint` columns arrive as `bigint`, `timestamptz` as `Date`, `date` as text. Its sessions speak whatever
 * time zone the server prefers: an instant is read by the offset that comes with it, and no statement may rely on the zone.
 * The server's limits are set by statement as a connection opens, because PgBouncer refuses them as start-up parameters;
 * behind a pooler in transaction mode the limits of the database's user hold, and no statement is prepared by name.
 * @throws Error when the address is no postgresql:// URL, or says of TLS what cannot be kept
 */
export function openPool(databaseUrl: string, options: PoolOptions = {}): pg.Pool {
  const { isPooled, ...address } = openAddress(databaseUrl)
  const pool = new pg.Pool({
    ...address,
    application_name: options.applicationName ?? 'meridian',
    max: options.maxConnections ?? 10,
    min: options.minConnections ?? 0,
    query_timeout: options.statementTimeoutMs ?? defaultTimeouts.statementMs,
    connectionTimeoutMillis: options.connectTimeoutMs ?? defaultTimeouts.connectMs,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: maxAgeSeconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: silenceMs,
    ...(!options.foreignTypes && { types }),
    ...(options.serverTimeouts && !isPooled && { onConnect: limitSession(options) }),
  })
  const onIdleError = options.onIdleError ?? (() => undefined)
  pool.on('error', onIdleError)
  // A connection that breaks while somebody holds it tells only itself; unheard, that would end the program.
  pool.on('connect', (client) => client.on('error', onIdleError))
  discardBroken(pool, options)
  if (isPooled) prepareNothing(pool)
  return traceStatements(pool)
}

function limitSession({ serverTimeouts, sharesSessions }: PoolOptions) {
  const { statementMs, lockMs, idleInTransactionMs } = serverTimeouts ?? noTimeouts
  const values = [statementMs, lockMs, idleInTransactionMs].map(String)
  return async (client: pg.ClientBase): Promise<void> => {
    if (sharesSessions?.()) return
    await client.query(
      `SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
         set_config('idle_in_transaction_session_timeout', $3, false)`,
      values,
    )
  }
}
