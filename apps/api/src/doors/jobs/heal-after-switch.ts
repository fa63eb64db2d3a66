import { setTimeout as delay } from 'node:timers/promises'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import type { RecentPurchase } from '../../orders/recent-purchases.ts'
import { sweepUnpaidNow } from '../../orders/sweep-schedule.ts'
import { type Position, readPosition, wentBack } from '../../platform/database/read-position.ts'
import { logSampled } from '../../platform/log.ts'
import type { Services } from '../../services.ts'
import { checkErasures } from '../../startup/start-checks.ts'
import { findLost, type Healing, makeLostAgain } from './make-lost-again.ts'

/** The others notice a switch within five seconds, too, and make again what they opened. */
const lateAfterMs = 30_000
/** After that what is left is told, and found by the bill of the day. */
const givenUpAfterMs = 30 * 60_000
const failuresToldEveryMs = 60_000

/** The timeline began within the last hour: this process may have started after a switch that another one saw. */
async function isNewTimeline(pool: Pool): Promise<boolean> {
  const [row] = await execute(
    pool,
    query(
      null,
      Prisma.sql`
      SELECT count(*) > 1 AND max(first_seen_at) > business_now() - interval '1 hour' AS new FROM database_timelines`,
      { new: column.boolean },
    ),
  )
  return row?.new ?? false
}

type Heal = Omit<Healing, 'isLate'> & {
  /** What it began with. */
  purchases: readonly RecentPurchase[]
  sinceMs: number
  isSwept: boolean
}

/** What of a process the watch works with besides: a clock that nobody moves, and when the process ends. */
type Watching = { nowMs?: () => number; signal?: AbortSignal }

/**
 * Watches whether the database went back behind what this process was told is committed, and makes again what it lost.
 * `look` looks once, and works for as long as the platform takes to answer.
 */
export function openSwitchWatch(
  services: Services,
  { nowMs = () => performance.now(), signal = new AbortController().signal }: Watching = {},
) {
  const { alarmPool, databaseState, recentPurchases, observations, log } = services
  let highest: Position | null = null
  let heal: Heal | null = null

  const begin = (purchases: readonly RecentPurchase[]) => {
    const made = { orders: 0, attempts: 0, payments: 0, refunds: 0 }
    heal = { purchases, left: new Set(purchases), made, signal, sinceMs: nowMs(), isSwept: false }
  }
  /** Answers whether the server was started anew. */
  const notice = async (now: Position) => {
    const earlier = highest
    if (!earlier && (await isNewTimeline(alarmPool))) begin([])
    highest = now
    if (!earlier) return false
    if (!wentBack(earlier, now)) return now.startedAt.getTime() !== earlier.startedAt.getTime()
    log.warn({ component: 'heal', earlier, now }, 'the database went back: what it lost is made again')
    if (now.timeline === earlier.timeline) observations.note('database_went_back')
    begin(recentPurchases.all())
    return true
  }
  /**
   * What no position shows: that an old leader took commits for a moment after its standby was promoted, or that a
   * server's own start wrote more than was lost before.
   */
  const lookFor = async (due: readonly RecentPurchase[]) => {
    const lost = new Set(await findLost(services, due))
    recentPurchases.found(
      due.filter((purchase) => !lost.has(purchase)),
      nowMs(),
    )
    if (lost.size === 0) return
    log.warn({ component: 'heal', lost: lost.size }, 'what was committed is gone: it is made again')
    observations.note('database_went_back')
    begin([...lost])
  }
  const work = async (current: Heal) => {
    if (!(await workOn(services, current, nowMs() - current.sinceMs))) return
    recentPurchases.renew(nowMs())
    // What nobody can make again has its alert, and is not looked for any more.
    recentPurchases.forget(await findLost(services, current.purchases))
    heal = null
    await checkErasures(services)
  }
  return {
    look: async () => {
      const now = await readPosition(databaseState.lendPool())
      if (!now) return
      const isRestarted = await notice(now)
      if (!heal) await lookFor(isRestarted ? recentPurchases.all() : recentPurchases.due(nowMs()))
      if (heal) await work(heal)
    },
    isHealing: () => heal !== null,
  }
}

/** One round of a healing that began so long ago. Answers whether it is over: nothing is left, or its time is. */
async function workOn(services: Services, current: Heal, forMs: number): Promise<boolean> {
  const { database, log } = services
  const { left, made } = current
  if (!current.isSwept) await sweepUnpaidNow(database.pool)
  current.isSwept = true
  const failures = await makeLostAgain(services, { ...current, isLate: forMs >= lateAfterMs })
  if (failures.length > 0)
    log.warn(
      { component: 'heal', times: failures.length, reason: String(failures[0]) },
      'lost purchases could not be made again yet',
    )
  if (left.size > 0 && forMs < givenUpAfterMs) return false
  const numbers = [...left].map(({ number }) => number)
  if (numbers.length > 0)
    log.error({ component: 'heal', made, numbers }, 'what the database lost could not all be made again')
  else log.warn({ component: 'heal', made }, 'what the database lost is made again')
  return true
}

const everyMs = 5_000

/** Looks every five seconds for as long as the program runs, whatever its role. */
export function keepHealed(services: Services): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const watch = openSwitchWatch(services, { signal })
  let reason: unknown = null
  const tellFailure = logSampled(failuresToldEveryMs, () =>
    services.log.warn(
      { component: 'heal', reason: String(reason) },
      'whether the database went back is unknown',
    ),
  )
  const run = async () => {
    while (!signal.aborted) {
      await watch.look().catch((error: unknown) => {
        reason = error
        tellFailure()
      })
      await delay(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const ran = run()
  return {
    stop: async () => {
      stopping.abort()
      await ran
    },
  }
}
