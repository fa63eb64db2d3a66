import type { Config } from '../config.ts'
import type { Reach } from '../platform/network/reachable.ts'

/** Whom events may be sent to: the open internet, and where no real money moves this machine as well, by http too. */
export const reachOfEvents = (platform: Config['platform']): Reach =>
  platform === 'sandbox' ? 'loopback' : 'public'
