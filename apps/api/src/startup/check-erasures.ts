import { applyErasures } from '../account/erase-account.ts'
import { completeErasureList } from '../account/erasure-list.ts'
import type { Services } from '../services.ts'

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
