import { cpus, loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { scheduler } from 'node:timers/promises'
import { openCrowd } from './crowd.ts'
import { until } from './daemon.ts'
import { type Drill, failOverLimits, type Limits, type Stage } from './drill.ts'
import { describeFailures, type Figures, measure } from './measure.ts'
import { type Acknowledged, judgeBooks, untilHealed, watchAcknowledged } from './verdict.ts'
import { prepareWatch, watchDatabase } from './watch-database.ts'
import type { World } from './world.ts'

export type Outcome = {
  name: string
  title: string
  figures: Figures
  acknowledged: number
  /** Acknowledged payments that the database did not hold when the fault was over. */
  lost: number
  /** Seconds from the new leader's first write to the alert; null where none is expected or none came. */
  alertSeconds: number | null
  healedSeconds: number
  /** The longest time this process itself stood still: a busy machine shows in every figure. */
  stallSeconds: number
  /** Processes that wanted to run for each core, at the end: above 1 the figures are those of a busy machine. */
  load: number
  failures: string[]
  findings: string[]
  missed: string[]
}

const usualLoad = { customerEveryMs: 400, readEveryMs: 100 }
const usualThenSeconds = 30
const warmWithinMs = 60_000
const fewestCallsBefore = 60
const wholeWithinMs = 180_000
const healWithinMinutes = 5
const alertWithinSeconds = 120

const wait = (seconds: number) => scheduler.wait(seconds * 1000)

/** What a drill has missed of its limits, in words. A pause of this machine itself is not the product's. */
function missedLimits(figures: Figures, limits: Limits, stallSeconds: number): string[] {
  const names = ['firstSuccessSeconds', 'jobsSeconds', 'withoutReadsSeconds', 'slowestWriteSeconds'] as const
  const late = names.flatMap((name) =>
    figures[name] > limits[name] + stallSeconds ? [`${name} ${figures[name]} > ${limits[name]}`] : [],
  )
  const { failed, requests } = limits
  const failures = (['failedRetrying', 'failedPlain'] as const).flatMap((name) =>
    failed !== null && figures[name] > failed ? [`${name} ${figures[name]} > ${failed}`] : [],
  )
  const few = figures.requests < requests ? [`${figures.requests} requests < ${requests}`] : []
  return [...late, ...failures, ...few]
}

const alertSql = `SELECT min(extract(epoch FROM last_at) * 1000)::float8 AS at FROM alerts
  WHERE kind = 'database_timeline_changed' AND last_at > to_timestamp($1::float8 / 1000)`

/** When the new leader was told of, in seconds since the fault. */
async function untilAlert({ pool }: World, sinceMs: number): Promise<number | null> {
  for (const ends = sinceMs + (alertWithinSeconds + 60) * 1000; Date.now() < ends; await wait(1)) {
    const { rows } = await pool.query<{ at: number | null }>(alertSql, [sinceMs])
    const at = rows[0]?.at
    if (at) return Math.round((at - sinceMs) / 100) / 10
  }
  return null
}

async function judgeLoss(world: World, lost: readonly string[], faultMs: number) {
  const alertSeconds = await untilAlert(world, faultMs)
  const missed = [
    ...(lost.length === 0 ? ['no acknowledged payment was lost: the drill has shown nothing'] : []),
    ...(alertSeconds === null || alertSeconds > alertWithinSeconds
      ? [`alert database_timeline_changed after ${alertSeconds ?? '∞'} s > ${alertWithinSeconds}`]
      : []),
  ]
  return { alertSeconds, missed }
}

const stageOf = (world: World): Stage => ({
  world,
  wait,
  requests: () => 0,
  acknowledged: () => 0,
  markRestored: () => undefined,
})

type Played = { figures: Figures; failures: string[]; faultMs: number; gaveUp: readonly string[] }

/** The fault under load, and what was seen of it. */
async function play(drill: Drill, world: World, taken: Acknowledged): Promise<Played> {
  const crowd = await openCrowd(world, drill.load ?? usualLoad)
  const watch = watchDatabase(world.cluster)
  await until('Customers', warmWithinMs, async () => crowd.calls.length >= fewestCallsBefore)
  const faultMs = Date.now()
  const before = crowd.calls.length
  let restoredMs = faultMs
  await drill.act({
    ...stageOf(world),
    requests: () => crowd.calls.length - before,
    acknowledged: () => taken.numbers.size,
    markRestored: () => {
      restoredMs = Date.now()
    },
  })
  await wait(drill.thenSeconds ?? usualThenSeconds)
  const endMs = Date.now()
  await crowd.leave()
  await watch.stop()
  const recording = {
    calls: crowd.calls,
    sightings: watch.sightings,
    faultMs,
    restoredMs,
    endMs,
  }
  return {
    figures: measure(recording, world.balancers.plain),
    failures: describeFailures(recording),
    faultMs,
    gaveUp: crowd.gaveUp,
  }
}

/** A drill that came to no end is one that has not held. */
export const failed = ({ name, title }: Drill, error: unknown): Outcome => ({
  ...{
    name,
    title,
    acknowledged: 0,
    lost: 0,
    alertSeconds: null,
    healedSeconds: 0,
    stallSeconds: 0,
    load: 0,
  },
  figures: measure({ calls: [], sightings: [], faultMs: 0, restoredMs: 0, endMs: 0 }, ''),
  failures: [],
  findings: [String(error)],
  missed: [],
})

const describe = async (act: () => Promise<unknown>): Promise<string[]> =>
  act().then(
    () => [],
    (error: unknown) => [error instanceof Error ? error.message : String(error)],
  )

/** One drill from the first customer to the verdict. */
export async function runDrill(drill: Drill, world: World): Promise<Outcome> {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  await world.cluster.untilWhole(wholeWithinMs)
  await prepareWatch(world.pool)
  const taken = watchAcknowledged(world)
  const { figures, failures, faultMs, gaveUp } = await play(drill, world, taken)
  const stallSeconds = Math.round(delay.max / 1e8) / 10
  delay.disable()
  const [loadAverage = 0] = loadavg()
  const calmMs = Date.now()
  await drill.repair?.(stageOf(world))
  const notWhole = await describe(() => world.cluster.untilWhole(wholeWithinMs))
  const lost = [...taken.lost]
  const loss = drill.losesPayments
    ? await judgeLoss(world, lost, faultMs)
    : { alertSeconds: null, missed: lost.map((number) => `${number} was acknowledged and lost for a while`) }
  // Of orders that are gone themselves the bill alone tells, which the platform has on the next morning.
  if (drill.losesPayments) await world.passDays(1)
  const findings = await untilHealed(world, healWithinMinutes)
  const healedSeconds = Math.round((Date.now() - calmMs) / 1000)
  const books = await judgeBooks(world, taken)
  await taken.stop()
  // Whoever came in the lost seconds is unknown afterwards, and has to begin anew.
  const strange = drill.losesPayments ? [] : gaveUp.map((last) => `customer: ${last}`)
  const limits = { ...failOverLimits, ...drill.limits }
  return {
    name: drill.name,
    title: drill.title,
    figures,
    acknowledged: taken.numbers.size,
    lost: lost.length,
    alertSeconds: loss.alertSeconds,
    healedSeconds,
    stallSeconds,
    load: Math.round((10 * loadAverage) / cpus().length) / 10,
    failures,
    findings: [...notWhole, ...findings, ...books, ...strange],
    missed: [...loss.missed, ...missedLimits(figures, limits, stallSeconds)],
  }
}
