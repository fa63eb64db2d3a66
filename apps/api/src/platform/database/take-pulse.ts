import { column, execute, openPool, Prisma, query } from '@meridian/db'

/** What a server said of itself. */
export type Pulse = {
  /** Of which database of which installation it is, the same on a primary and its standbys. */
  identity: string
  isStandby: boolean
  /** Up to where its log is written, or replayed on a standby, in bytes since the beginning. */
  position: bigint
  askedAtMs: number
  answeredAtMs: number
}

export type PulseWatch = {
  /** The last answer; null before the first. */
  last: () => Pulse | null
  /** Why there is none at the moment; null while the server answers within a second. */
  lost: () => string | null
  /** Somebody else was answered by it: it is not lost, whatever the last look said. */
  answered: () => void
  /** Calls the listener at each look at which the server is lost, until what this answers is called. */
  onLost: (listener: () => void) => () => void
  close: () => Promise<void>
}

/** A server that left is noticed within 1.5 s: reads are never gone for over 2 s while another one can be read. */
const askEveryMs = 500
const patienceMs = 1_000

// What is flushed may be sent to a standby; what is only inserted may wait for its flush as long as nobody commits.
const askPulse = query(
  'ask-pulse',
  Prisma.sql`
    SELECT (SELECT system_identifier::text FROM pg_control_system()) || '/' || current_database() AS identity,
      pg_is_in_recovery() AS "isStandby",
      pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
        ELSE pg_current_wal_flush_lsn() END, '0/0')::int8 AS position`,
  { identity: column.text, isStandby: column.boolean, position: column.bigint },
)

type Watched = {
  databaseUrl: string
  sharesSessions: () => boolean
  /** Called after each look, answered or not. */
  onLook: (pulse: Pulse | null) => void
  nowMs: () => number
}

/** Asks a server twice a second, on a connection of its own, how it is; a connection that hangs is given up and replaced. */
export function takePulse({ databaseUrl, sharesSessions, onLook, nowMs }: Watched): PulseWatch {
  const pool = openPool(databaseUrl, {
    applicationName: 'meridian-watch',
    maxConnections: 1,
    connectTimeoutMs: patienceMs,
    statementTimeoutMs: patienceMs,
    sharesSessions,
  })
  const listeners = new Set<() => void>()
  let last: Pulse | null = null
  let reason: string | null = 'not asked yet'
  let isAsking = false
  const lose = (why: string) => {
    reason = why
    onLook(null)
    for (const listener of [...listeners]) listener()
  }
  const look = async () => {
    const askedAtMs = nowMs()
    // A program that stood still itself takes what arrived meanwhile first.
    const late = setTimeout(() => setImmediate(() => isAsking && lose('no answer for a second')), patienceMs)
    try {
      const [row] = await execute(pool, askPulse)
      if (!row) throw new Error('a pulse without a row')
      last = { ...row, askedAtMs, answeredAtMs: nowMs() }
      reason = null
      onLook(last)
    } catch (error) {
      lose(error instanceof Error ? error.message || error.name : String(error))
    } finally {
      isAsking = false
      clearTimeout(late)
    }
  }
  const ask = () => {
    if (isAsking) return
    isAsking = true
    void look()
  }
  ask()
  const timer = setInterval(ask, askEveryMs).unref()
  return {
    last: () => last,
    lost: () => reason,
    answered: () => {
      reason = null
    },
    onLost: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => {
      clearInterval(timer)
      return pool.end()
    },
  }
}
