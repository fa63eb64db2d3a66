import type { AlertKind } from '@meridian/contracts'
import type { Pool } from '@meridian/db'
import type { Services } from '../services.ts'
import type { ObservationKind, Seen } from './observations.ts'

/** Something that holds right now and that somebody must know of. */
export type Condition = {
  subject: string
  detail: Record<string, unknown>
  /** When the newest fact behind it came about: what a person closed after it is not raised again. */
  evidenceAt: Date
  /** False where it keeps an open alert open and opens none. */
  opens?: boolean
  /** At most one alert of its subject within so long. */
  atMostEveryMs?: number
}

export type WatchContext = {
  services: Pick<Services, 'config' | 'payments' | 'virtual' | 'observations'>
  /** Connections that nobody but the watch uses. */
  pool: Pool
  now: Date
  /** Since when somebody watches without a break: whoever just came sees an old silence, and does not judge it. */
  watchingSince: Date
  /** What all processes together saw of a kind that the watch observes. */
  seen: (kind: ObservationKind) => Seen
}

/** One kind of condition, and how to find out where it holds: by facts alone, the same on every process. */
export type Watch = {
  kind: AlertKind
  /** What happens within a minute or two is judged at every look; what takes longer in turn. */
  isUrgent?: true
  /** What it is judged by, and how far back that counts as recent; no other watch observes the same. */
  observes?: { kinds: readonly ObservationKind[]; withinMs: number }
  find: (context: WatchContext) => Promise<Condition[]>
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export const before = (moment: Date, ms: number): Date => new Date(moment.getTime() - ms)
