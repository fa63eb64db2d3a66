import type { DiagnosisConfig, ReportRequest } from '@meridian/contracts'

export type Program = DiagnosisConfig['programs'][number]
type Given = Pick<ReportRequest, 'score' | 'summary' | 'measurements'>

const everyMs = 50
const samples = 120
const treatedEveryMs = 30_000
const mostSamples = 240

/** A number between 40 and 80 that is the same for the same part on every day. */
const tensionOf = (part: string): number =>
  40 + [...part].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 41, 7)

/** What the wearable measures when it scans a part of the body: six seconds of muscle signal, left and right. */
export function measureScan(part: string): Given {
  const tension = tensionOf(part)
  const measurements = Array.from({ length: samples }, (_, step) => ({
    t_ms: step * everyMs,
    channel: step % 2 === 0 ? 'left' : 'right',
    microvolts: Math.round((tension * 6 + (step % 2 === 0 ? 180 : 130) * Math.sin(step / 7)) * 10) / 10,
  }))
  const summary = {
    ...(part !== '' && { body_part: part }),
    tension,
    symmetry_percent: 93,
    source: 'sandbox',
  }
  return { score: 100 - Math.round(tension / 2), summary, measurements }
}

export type Treatment = {
  program: Program
  /** In the configuration's own words. */
  part: string
  intensity: number
  startedAt: Date
  endedAt: Date
}

/** What the wearable reports after a treatment: what it did twice a minute, and how the muscle let go. */
export function measureTreatment({ program, part, intensity, startedAt, endedAt }: Treatment): Given {
  const treatedMs = endedAt.getTime() - startedAt.getTime()
  const planned = program.duration_minutes ?? 0
  const steps = Math.min(mostSamples, Math.max(1, Math.floor(treatedMs / treatedEveryMs) + 1))
  const before = tensionOf(part)
  const relief = (step: number) => before * (1 - 0.35 * (step / Math.max(1, steps - 1)))
  const measurements = Array.from({ length: steps }, (_, step) => ({
    t_ms: step * treatedEveryMs,
    intensity: Math.min(intensity, 1 + step * 2),
    impedance_ohm: Math.round(620 - 140 * (step / steps)),
    tension: Math.round(relief(step) * 10) / 10,
  }))
  const summary = {
    ...{ program: program.name, body_part: part, intensity },
    planned_minutes: planned,
    treated_minutes: Math.round(treatedMs / 6_000) / 10,
    ended: treatedMs >= planned * 60_000 ? 'completed' : 'stopped',
    source: 'sandbox',
  }
  return { score: null, summary, measurements }
}
