import type { Config } from '../config.ts'
import type { Services } from '../services.ts'

/** One thing that was looked at: well, worth a thought, or in the way of going live. */
export type Finding = {
  about: string
  level: 'well' | 'warning' | 'fault'
  says: string
  /** The line that mends it: a command, a setting, or where to do it. */
  mend?: string
}

export type Examined = {
  services: Services
  /** The settings as they are given; `services` are opened with as few connections as will do. */
  config: Config
  environment: Readonly<Record<string, string>>
  now: Date
  /** Whether a test is sent through every channel of alerts. */
  testAlarms: boolean
}

/** What a look found; its check says about what. */
export type Seen = Omit<Finding, 'about'>

export type Check = {
  about: string
  /** Without a database that answers nothing can be said about it. */
  needsDatabase?: boolean
  /** What mends it where the look itself fails. */
  ifUnseen?: string
  look: (examined: Examined) => Promise<readonly Seen[]>
}

export const well = (says: string): Seen => ({ level: 'well', says })
export const warning = (says: string, mend: string): Seen => ({ level: 'warning', says, mend })
export const fault = (says: string, mend: string): Seen => ({ level: 'fault', says, mend })

const dayMs = 86_400_000

/** A certificate or key that ends: a fault a week before, worth a thought a month before. */
export function endsIn(name: string, expiresAt: Date, { now, mend }: { now: Date; mend: string }): Seen {
  const days = Math.floor((expiresAt.getTime() - now.getTime()) / dayMs)
  const says = `${name} ends in ${days} days (${expiresAt.toISOString().slice(0, 10)})`
  if (days < 7) return fault(days < 0 ? `${name} ended ${-days} days ago` : says, mend)
  return days < 30 ? warning(says, mend) : well(says)
}
