import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import { spoken } from './time-limit.ts'

const lookEveryMs = 200
const tellEveryMs = 10_000

// Who keeps a session waiting, and since when: no text of a statement, which may hold what nobody should read. Columns
// of other users are empty unless this one may read all statistics (pg_read_all_stats).
const blockersSql = `
  SELECT blocker.pid, other.application_name AS program, other.state,
    upper(substring(other.query FROM '^\\s*([A-Za-z]+)')) AS command,
    extract(epoch FROM clock_timestamp() - other.query_start) * 1000 AS "queryMs",
    extract(epoch FROM clock_timestamp() - other.xact_start) * 1000 AS "transactionMs"
  FROM pg_stat_activity mine CROSS JOIN LATERAL unnest(pg_blocking_pids(mine.pid)) AS blocker(pid)
  LEFT JOIN pg_stat_activity other ON other.pid = blocker.pid
  WHERE mine.pid = $1 AND mine.wait_event_type = 'Lock'
  ORDER BY other.xact_start`

type Blocker = {
  /** 0 is a prepared transaction. */
  pid: number
  program: string | null
  state: string | null
  command: string | null
  queryMs: string | null
  transactionMs: string | null
}

export type BlockerWatch = {
  /** Whether it had the statement cancelled, because locks were waited for too long. */
  gaveWay: () => boolean
  /** Those seen last, as a person reads them; null when nobody was ever seen. */
  lastSeen: () => string | null
  stop: () => Promise<void>
}

type WatchOptions = {
  /** The session that may have to wait. */
  pid: number
  /** How long it may wait for locks, all of them together; then its statement is cancelled. For ever by default. */
  mostWaitedMs?: number
  /** Called when it begins to wait for others, and every 10 s while it does. */
  tell?: (blockers: string) => void
}

/** Looks five times a second, through a connection of its own, who keeps a session waiting for a lock, until stopped. */
export function watchBlockers(pool: Pool, options: WatchOptions): BlockerWatch {
  const { pid, mostWaitedMs = Number.POSITIVE_INFINITY, tell = () => undefined } = options
  const stopping = new AbortController()
  const seen = { waitedMs: 0, blockers: null as string | null, pids: '', toldAtMs: 0, gaveWay: false }
  const look = async () => {
    const { rows } = await pool.query<Blocker>(blockersSql, [pid])
    if (rows.length === 0) return
    seen.waitedMs += lookEveryMs
    seen.blockers = rows.map(describe).join(', ')
    const pids = rows.map((row) => row.pid).join()
    if (pids !== seen.pids || performance.now() - seen.toldAtMs >= tellEveryMs) {
      Object.assign(seen, { pids, toldAtMs: performance.now() })
      tell(seen.blockers)
    }
    if (seen.waitedMs < mostWaitedMs || stopping.signal.aborted) return
    seen.gaveWay = true
    await pool.query('SELECT pg_cancel_backend($1)', [pid])
  }
  const watching = repeat(look, stopping.signal)
  return {
    gaveWay: () => seen.gaveWay,
    lastSeen: () => seen.blockers,
    stop: () => {
      stopping.abort()
      return watching
    },
  }
}

async function repeat(look: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(lookEveryMs, undefined, { signal }).catch(() => undefined)
    // What cannot be looked at is not told: the server's own lock_timeout holds all the same.
    if (!signal.aborted) await look().catch(() => undefined)
  }
}

function describe({ pid, program, state, command, queryMs, transactionMs }: Blocker): string {
  if (pid === 0) return 'a prepared transaction'
  const last = state?.startsWith('idle') ? `idle after ${command}` : command
  const facts = [
    program || 'no application name',
    command && queryMs && `${last} since ${spoken(Number(queryMs))}`,
    transactionMs && `in a transaction since ${spoken(Number(transactionMs))}`,
  ]
  return `pid ${pid} (${facts.filter(Boolean).join(', ')})`
}
