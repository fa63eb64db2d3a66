import { beat } from '../../src/jobs/keep-workers-alive.ts'
import { checkConditions } from '../../src/monitoring/check-conditions.ts'
import { recordObservations } from '../../src/monitoring/keep-watching.ts'
import { passUntil } from './pass-until.ts'
import type { Span, TestWorld } from './test-world.ts'

export type WatchedAlert = {
  kind: string
  subject: string
  times: number
  over: boolean
  detail: Record<string, unknown>
}

/** Looks once: what this process saw is written down, then everything is judged, or what has its turn, as a program does. */
export async function look({ services }: TestWorld, asked: { watchingSince?: Date; turn?: Date } = {}) {
  await recordObservations(services.alarmPool, services.observations)
  const checked = await checkConditions(services, asked)
  if (checked.failed.length > 0) throw new Error(`not judged: ${checked.failed.join()}`)
  return checked
}

/** Every alert of a kind, oldest first. */
export const alertsOf = (world: TestWorld, kind: string) =>
  world.query<WatchedAlert>(
    'SELECT kind, subject, times, resolved_at IS NOT NULL AS over, detail FROM alerts WHERE kind = $1 ORDER BY id',
    [kind],
  )

/** Workers show life, whatever they do: jobs that are due are no silence. */
const workersLive = ({ services }: TestWorld) => beat(services.database.pool, ['w'])

/** Lets time pass while workers live. */
export async function passWorking(world: TestWorld, time: Span): Promise<void> {
  await world.passTime(time)
  await workersLive(world)
}

/** Lets time pass until this instant while workers live. */
export async function passWorkingUntil(world: TestWorld, instant: Date): Promise<void> {
  await passUntil(world, instant)
  await workersLive(world)
}
