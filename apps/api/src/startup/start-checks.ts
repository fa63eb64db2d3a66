import { applyErasures } from '../account/erase-account.ts'
import { completeErasureList } from '../account/erasure-list.ts'
import { ConfigError } from '../config.ts'
import { sealedSecrets } from '../devices/prove-possession.ts'
import { sealedPreviousSecrets, sealedWebhookSecrets } from '../events/sealed-webhook-secrets.ts'
import { sealedStoreSecrets } from '../exports/export-schedules.ts'
import { sealedFactors } from '../operators/second-factor.ts'
import { countOlder, type SealedColumn, sealedKeys } from '../platform/crypto/data-keys.ts'
import { UnsealError } from '../platform/crypto/seal.ts'
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

/** Everything that is sealed by DATA_KEY. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedKeys,
  sealedFactors,
  sealedSecrets,
  sealedWebhookSecrets,
  sealedPreviousSecrets,
  sealedStoreSecrets,
]

async function warnOfOlderKeys({ config, database, log }: Services): Promise<void> {
  if (config.DATA_KEY.length === 1) return
  const { byPlace, unmarked } = await countOlder(database.pool, config.DATA_KEY, sealedColumns)
  for (const { place, count } of byPlace)
    log.warn(
      { place, values: count },
      count > 0 ? 'an older DATA_KEY is still needed' : 'an older DATA_KEY is not needed',
    )
  if (unmarked > 0) log.warn({ values: unmarked }, 'which DATA_KEY is needed is unknown: run data:rekey')
}

/**
 * Holds the program's DATA_KEY against what is stored, once, and says which older keys are still needed. While the
 * database cannot be asked the start goes on, and the question is asked again: `refuse` gets what it shows then.
 * @throws ConfigError when no key opens what is stored
 */
export async function checkDataKeys(services: Services, refuse: (error: ConfigError) => void): Promise<void> {
  const hold = async () => {
    try {
      await services.dataKeys.check()
    } catch (error) {
      if (error instanceof UnsealError)
        throw new ConfigError(['DATA_KEY: does not open what is stored with another one'])
      setTimeout(() => hold().catch(refuse), retryMs).unref()
      return
    }
    await warnOfOlderKeys(services).catch(() => undefined)
  }
  await hold()
}

/**
 * Holds the list of erasures and the database to each other: whoever a backup brought back is erased again, and what
 * the list lacks is added. Failing costs nothing but a line in the log: it is done at each start and once a day.
 */
export async function checkErasures({ config, database, log }: Services): Promise<void> {
  const { ERASURE_LIST_FILE: file } = config
  if (!file) return
  try {
    const { erased } = await applyErasures(database.pool, file)
    if (erased > 0) log.warn({ erased }, 'people whom a backup had brought back were erased again')
    await completeErasureList(database.pool, file)
  } catch (error) {
    log.error({ reason: error instanceof Error ? error.message : 'unknown' }, 'the erasure list was not held')
  }
}
