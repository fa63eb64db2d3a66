import type { Load } from './crowd.ts'
import type { Topology } from './gateways.ts'
import type { World } from './world.ts'

/** What a fault may use. */
export type Stage = {
  world: World
  /** How many requests customers have made since the fault began. */
  requests: () => number
  /** How many payments the platform holds as acknowledged. */
  acknowledged: () => number
  wait: (seconds: number) => Promise<void>
  /** Now somebody has put right what does not heal by itself. */
  markRestored: () => void
}

export type Limits = {
  firstSuccessSeconds: number
  jobsSeconds: number
  withoutReadsSeconds: number
  slowestWriteSeconds: number
  /** Requests that failed, at each balancer; null: they are counted and not judged. */
  failed: number | null
  requests: number
}

/** docs/drills.md, What must hold: first success, jobs, reads; customers' failures are counted. */
export const failOverLimits: Limits = {
  firstSuccessSeconds: 10,
  jobsSeconds: 30,
  withoutReadsSeconds: 2,
  slowestWriteSeconds: Number.POSITIVE_INFINITY,
  failed: null,
  requests: 0,
}

export type Drill = {
  name: string
  title: string
  /** Values of deploy/patroni that are otherwise; such a drill has an installation of its own. */
  changes?: Readonly<Record<string, string>>
  topology?: Topology
  /** The programs find the leader by a name that follows late. */
  byLateName?: boolean
  /** The programs begin with the previous release. */
  beginsWithPrevious?: boolean
  load?: Load
  limits?: Partial<Limits>
  /** Acknowledged payments vanish from the database here, which must be noticed and healed without a person. */
  losesPayments?: boolean
  /** Shows a fault of the Patroni that Debian 12 installs; a newer one does not have it. */
  needsInstalledPatroni?: boolean
  act: (stage: Stage) => Promise<void>
  /** How long customers go on coming after it. */
  thenSeconds?: number
  /** Puts right what the fault has left, before the books are judged. */
  repair?: (stage: Stage) => Promise<void>
}
