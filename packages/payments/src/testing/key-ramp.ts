import type { KeyRamp, PlatformState } from './platform-state.ts'
import type { RampReport } from './platform-types.ts'

/** Share of the notifications under the public key on each day of the change (protocol §2.3). */
const RAMP_SHARES = [0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 1] as const

const DAY_MS = 86_400_000

export const rampFromDayOne = ({ now }: PlatformState): KeyRamp => ({ passedMs: 0, at: now() })

/** The days run as much faster as the notification schedule does. */
export function rampNow(state: PlatformState): RampReport {
  const { ramp } = state
  if ('share' in ramp) return { day: null, share: ramp.share }
  const day = Math.min(Math.floor(passedMs(state, ramp) / DAY_MS), RAMP_SHARES.length - 1)
  return { day: day + 1, share: RAMP_SHARES[day] ?? 1 }
}

/** Changes how fast time runs from now on; what has passed of the seven days stays passed. */
export function changeSpeed(state: PlatformState, speed: number): void {
  const { ramp } = state
  if (!('share' in ramp)) state.ramp = { passedMs: passedMs(state, ramp), at: state.now() }
  state.scheduleSpeed = speed
}

const passedMs = (
  { now, scheduleSpeed }: PlatformState,
  { passedMs: before, at }: { passedMs: number; at: Date },
): number => before + (now().getTime() - at.getTime()) * scheduleSpeed
