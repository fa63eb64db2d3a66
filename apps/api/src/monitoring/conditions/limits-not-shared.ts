import { before, minuteMs, type Watch } from '../condition.ts'
import { readObservations } from '../read-observations.ts'

/** What a process that misses Redis says every few seconds is missed after so long. */
const heardMs = minuteMs / 2

/** Redis is gone for a minute for at least one process: each limits alone, and the limits add up. */
export const limitsNotShared: Watch = {
  kind: 'limits_not_shared',
  find: async ({ pool, now }) => {
    const seen = await readObservations(pool, ['limits_alone'], { since: before(now, heardMs), until: now })
    const { recent, lastAt } = seen('limits_alone')
    return lastAt && recent > 0 ? [{ subject: 'redis', detail: {}, evidenceAt: lastAt }] : []
  },
}
