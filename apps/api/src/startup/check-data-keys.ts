import { ConfigError } from '../config.ts'
import { UnsealError } from '../platform/crypto/seal.ts'
import { countOlder } from '../platform/crypto/sealed-column.ts'
import type { Services } from '../services.ts'
import { sealedColumns } from './sealed-columns.ts'

const retryMs = 5_000

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
