import { setTimeout as delay } from 'node:timers/promises'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { keptSinceSql } from '../platform/time/business-time.ts'
import type { Services } from '../services.ts'
import { checkConditions, lookEverySeconds } from './check-conditions.ts'
import { healAlerts } from './heal-alerts.ts'
import type { Observations } from './observations.ts'

/**
 * Adds what this process saw to what all of them saw, in steps of ten seconds by the database's clock. What cannot be
 * written is counted again for the next time.
 */
export async function recordObservations(pool: Pool, observations: Observations): Promise<void> {
  const counts = observations.take()
  if (counts.size === 0) return
  try {
    await execute(
      pool,
      query(
        'record-observations',
        Prisma.sql`
        INSERT INTO observation_counts (kind, at, count)
        SELECT kind, date_bin('10 seconds', business_now(), '2000-01-01Z'), count
        FROM unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::int[]) AS seen(kind, count) ORDER BY kind
        ON CONFLICT (kind, at) DO UPDATE SET count = observation_counts.count + excluded.count`,
      ),
    )
  } catch (error) {
    for (const [kind, count] of counts) observations.note(kind, count)
    throw error
  }
}

/** Forgets what no condition looks at any more. */
const purgeObservations = (pool: Pool) =>
  execute(
    pool,
    query(
      'forget-observations',
      Prisma.sql`DELETE FROM observation_counts WHERE at < ${keptSinceSql('observation_counts')}`,
    ),
  )

/**
 * When it is this process's turn to look, which is now, or null: nobody looked within the last `everySeconds`, and of
 * those who ask now one gets the row. Needs no session and no holder, so that a process that dies takes nothing with it.
 */
async function takeTurn(pool: Pool, everySeconds: number): Promise<Date | null> {
  const [row] = await execute(
    pool,
    query(
      'take-turn',
      Prisma.sql`
      INSERT INTO condition_checks AS last (id) VALUES (1)
      ON CONFLICT (id) DO UPDATE SET checked_at = business_now()
        WHERE last.checked_at <= business_now() - ${everySeconds}::float8 * interval '1 second'
      RETURNING checked_at AS now`,
      { now: column.instant },
    ),
  )
  return row?.now ?? null
}

const everyMs = 5_000
const forgetEveryTurns = 240
/** A process that stood still for longer has watched nothing meanwhile. */
const breakMs = 60_000

/** Redis is gone for so long before that is worth a word. */
const aloneForMs = 60_000

/** Whether this process has limited alone for a minute although it should share its limits. */
export function isAlone({ limits }: Pick<Services, 'limits'>, now = new Date()): boolean {
  const { configured, up, since } = limits.sharing()
  return configured && !up && now.getTime() - since.getTime() >= aloneForMs
}

/**
 * Watches as long as the program runs, whatever its role: writes down what this process saw, and takes its turn at
 * judging what all of them saw. Not a job, because it must tell that no worker runs.
 */
export function keepWatching(services: Services): { stop: () => Promise<void> } {
  const { alarmPool: pool, observations, log, runtime } = services
  const stopping = new AbortController()
  let watchingSince = runtime.now()
  let lastAt = watchingSince
  let turns = 0
  const record = async () => {
    if (isAlone(services)) observations.note('limits_alone')
    await recordObservations(pool, observations)
  }
  const watch = async () => {
    const now = runtime.now()
    if (now.getTime() - lastAt.getTime() > breakMs) watchingSince = now
    const turn = await takeTurn(pool, lookEverySeconds)
    if (turn) {
      const { signal } = stopping
      const { opened, ended } = await checkConditions(services, { watchingSince, signal, turn })
      const healed = await healAlerts({ services, signal })
      if (opened.length + ended.length + healed.length > 0)
        log.warn({ component: 'watch', opened, ended, healed }, 'alerts changed')
      if (turns++ % forgetEveryTurns === 0) await purgeObservations(pool)
    }
    lastAt = runtime.now()
  }
  const repeat = async (work: () => Promise<void>) => {
    while (!stopping.signal.aborted) {
      await work().catch((error: unknown) =>
        log.warn({ component: 'watch', reason: String(error) }, 'conditions could not be watched'),
      )
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  // A look may take a minute where each answer takes seconds: what is seen meanwhile is written down when it is seen.
  const ran = Promise.all([repeat(record), repeat(watch)])
  return {
    stop: async () => {
      stopping.abort()
      await ran
    },
  }
}
