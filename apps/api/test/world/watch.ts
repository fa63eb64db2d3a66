import { checkConditions } from '../../src/monitoring/check-conditions.ts'
import { recordObservations } from '../../src/monitoring/record-observations.ts'
import type { TestWorld } from './test-world.ts'

export type WatchedAlert = {
  kind: string
  subject: string
  times: number
  over: boolean
  detail: Record<string, unknown>
}

type Look = { inMinutes?: number; watchingSince?: Date }

/** Looks once, as the watch of a program does: what this process saw is written down, then everything is judged. */
export async function look(world: TestWorld, { inMinutes = 0, watchingSince }: Look = {}) {
  const { services } = world
  await recordObservations(services.watchPool, services.observations)
  const now = new Date(Date.now() + inMinutes * 60_000)
  const checked = await checkConditions(services, { now, ...(watchingSince && { watchingSince }) })
  if (checked.failed.length > 0) throw new Error(`not judged: ${checked.failed.join()}`)
  return checked
}

/** Every alert of a kind, oldest first. */
export const alertsOf = (world: TestWorld, kind: string) =>
  world.query<WatchedAlert>(
    'SELECT kind, subject, times, resolved_at IS NOT NULL AS over, detail FROM alerts WHERE kind = $1 ORDER BY id',
    [kind],
  )

/** As if the alerts of a kind had last been counted some minutes ago. */
export const ageAlerts = (world: TestWorld, kind: string, minutes: number) =>
  world.query(
    `UPDATE alerts SET opened_at = opened_at - $2 * interval '1 minute', last_at = last_at - $2 * interval '1 minute',
       resolved_at = resolved_at - $2 * interval '1 minute' WHERE kind = $1`,
    [kind, minutes],
  )

/** As if what was observed had been observed some minutes ago. */
export const ageObservations = (world: TestWorld, minutes: number) =>
  world.query(`UPDATE observation_counts SET at = at - $1 * interval '1 minute'`, [minutes])
