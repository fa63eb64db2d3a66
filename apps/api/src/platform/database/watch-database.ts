import { setTimeout as delay } from 'node:timers/promises'
import { column, execute, openPool, type Pool, type PoolClient, Prisma, query } from '@meridian/db'

/** What this process knows of its database. */
export type DatabaseState = {
  /** Whether a read was answered within the last five seconds. */
  answers: () => boolean
  /** Whether writes are taken: not by a standby, nor while they hang because no synchronous standby confirms them. */
  takesWrites: () => boolean
  /** Why the last question had no answer; null where it had one. */
  failure: () => string | null
  /** Asks now, unless somebody asked within the last second, and waits for the answer a second at most. */
  ask: () => Promise<void>
  /** Lends connections of which one is idle, or else those of alarms: for what has none of its own. */
  lendPool: () => Pool
  /** A connection of this process was answered. */
  answered: () => void
  /** A statement had no answer in time: it is tried whether a write gets one. */
  suspectWrites: () => void
  /** Asks every second until stopped. */
  keepAsking: () => () => void
  close: () => void
}

/** As long as that without an answer, and a balancer should send nobody here (SPEC §18). */
const mostSilenceMs = 5_000
const askEveryMs = 1_000
const patienceMs = 1_000

const askRole = (pool: Pool) =>
  execute(
    pool,
    query(
      'ask-role',
      Prisma.sql`SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "readsOnly"`,
      { readsOnly: column.boolean },
    ),
  )

/** Writes a commit record and nothing else; like every commit it waits for the synchronous standby. */
const tryWrite = (client: PoolClient) =>
  client.query(`SELECT pg_logical_emit_message(true, 'meridian', 'tries whether a write is confirmed')`)

/** A pool in which a question need not wait: nobody does, and one connection is free or may be opened. */
const isFree = (pool: Pool) =>
  pool.waitingCount === 0 && (pool.idleCount > 0 || pool.totalCount < (pool.options.max ?? 1))

type Watched = {
  /** Whose connections are asked, the first that is free. */
  pools: readonly [Pool, ...Pool[]]
  /** Whose idle connections are lent: not those of whoever pays. */
  lent: readonly Pool[]
  databaseUrl: string
  nowMs?: () => number
}

/** Watches the database through the connections that are there. Nothing is asked before the first `ask`. */
export function watchDatabase({
  pools,
  lent,
  databaseUrl,
  nowMs = () => performance.now(),
}: Watched): DatabaseState {
  let answeredAtMs: number | null = null
  let askedAtMs: number | null = null
  let reason: string | null = 'not asked yet'
  let readsOnly = false
  let asking: Promise<void> | null = null
  const writes = tryWrites(databaseUrl)
  const answered = () => {
    answeredAtMs = nowMs()
  }
  const lookNow = async () => {
    askedAtMs = nowMs()
    try {
      const [role] = await askRole(pools.find(isFree) ?? pools[0])
      const wasAway = answeredAtMs !== null && nowMs() - answeredAtMs >= mostSilenceMs
      const onlyRead = readsOnly
      answered()
      readsOnly = role?.readsOnly ?? false
      if (onlyRead && !readsOnly) writes.tryAnew()
      else if (wasAway) writes.suspect()
      reason = null
    } catch (error) {
      reason = error instanceof Error ? error.message || error.name : String(error)
    }
  }
  const ask = async () => {
    const isFresh = askedAtMs !== null && nowMs() - askedAtMs < askEveryMs && answeredAtMs !== null
    if (!isFresh)
      asking ??= lookNow().finally(() => {
        asking = null
      })
    if (asking) await Promise.race([asking, delay(patienceMs, undefined, { ref: false })])
  }
  return {
    answers: () => answeredAtMs !== null && nowMs() - answeredAtMs < mostSilenceMs,
    takesWrites: () => !readsOnly && !writes.hang(),
    failure: () => reason,
    ask,
    lendPool: () =>
      lent.find(({ waitingCount, idleCount }) => waitingCount === 0 && idleCount > 0) ?? pools[0],
    answered,
    suspectWrites: writes.suspect,
    keepAsking: () => {
      const timer = setInterval(() => void ask(), askEveryMs).unref()
      return () => clearInterval(timer)
    },
    close: writes.close,
  }
}

/** A write that is under way on a connection of its own; ending that connection is all that ends it. */
type Trial = { isOver: boolean; end: () => void }

/** Tries one write, for as long as it takes, and says when that is over. */
function tryOnce(databaseUrl: string, onEnd: () => void): Trial {
  const pool = openPool(databaseUrl, {
    applicationName: 'meridian-write-check',
    maxConnections: 1,
    statementTimeoutMs: 0,
  })
  let client: PoolClient | null = null
  const trial: Trial = {
    isOver: false,
    end: () => {
      trial.isOver = true
      void client?.end().catch(() => undefined)
    },
  }
  const run = async () => {
    try {
      client = await pool.connect()
      if (!trial.isOver) await tryWrite(client)
    } catch {
      // It reads only, or is gone: whoever writes is told so by the server itself, at once.
    } finally {
      client?.release(true)
      void pool.end()
      if (!trial.isOver) onEnd()
      trial.isOver = true
    }
  }
  void run()
  return trial
}

/**
 * Tries a write once somebody suspects that none is confirmed: as long as it has no answer writes hang. One at a time,
 * since a server that waits for a standby hears of nobody who left.
 */
function tryWrites(databaseUrl: string) {
  let hangs = false
  let trial: Trial | null = null
  let isClosed = false
  const start = () => {
    const late = setTimeout(() => {
      hangs = true
    }, patienceMs)
    const started = tryOnce(databaseUrl, () => {
      clearTimeout(late)
      hangs = false
      trial = null
    })
    trial = {
      ...started,
      end: () => {
        clearTimeout(late)
        started.end()
      },
    }
  }
  return {
    hang: () => hangs,
    suspect: () => {
      if (!trial && !isClosed) start()
    },
    /**
     * A server takes writes that took none before. A new leader confirms none until a standby follows it, for seconds;
     * until one is confirmed writes would hold the connections that readers need.
     */
    tryAnew: () => {
      if (isClosed) return
      trial?.end()
      hangs = true
      start()
    },
    close: () => {
      isClosed = true
      trial?.end()
    },
  }
}
