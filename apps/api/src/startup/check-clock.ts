import { ConfigError } from '../config.ts'
import type { Services } from '../services.ts'

const retryMs = 5_000
/** How soon a program of the sandbox takes over a clock that somebody moved. */
const followEveryMs = 200

const describe = (aheadMs: number) => `${(aheadMs / 3_600_000).toFixed(1)} hours`

/**
 * Reads how far the clock of the business was moved. Where the money is real it may not be moved at all; elsewhere it
 * is followed from then on. While the database cannot be asked the start goes on, and the question is asked
 * again: `refuse` gets what it shows then.
 * @throws ConfigError at the official platform when the clock is not the machine's
 */
export async function checkClock(services: Services, refuse: (error: unknown) => void): Promise<void> {
  const { clock, config, log } = services
  const isReal = config.platform === 'official'
  const again = (ms: number) => setTimeout(() => hold().catch(refuse), ms).unref()
  let heldMs = 0
  const hold = async () => {
    const aheadMs = await clock.read().catch(() => null)
    if (aheadMs === null) return void again(retryMs)
    if (isReal && aheadMs !== 0)
      throw new ConfigError([
        `DATABASE_URL: the clock of this database is moved by ${describe(aheadMs)} (business_now): it is a sandbox’s`,
      ])
    if (aheadMs !== heldMs) log.warn({ ahead: describe(aheadMs) }, 'the clock of the business was moved')
    heldMs = aheadMs
    if (!isReal) again(followEveryMs)
  }
  await hold()
}
