import { scheduledExports } from '@meridian/contracts'
import { deliverExport } from '../../exports/deliver-export.ts'
import { type Asked, type DueExport, startDueExports } from '../../exports/export-runs.ts'
import type { RunReference } from '../../exports/send-runs.ts'
import type { Services } from '../../services.ts'
import { fileTypes } from './export-file.ts'
import { filterOf } from './export-record.ts'
import { keepQuery } from './kept-query.ts'

const DAY_MS = 86_400_000

/** The list of one day in China, narrowed as somebody would narrow it in the console. */
function askOf({ kind, day }: Pick<DueExport, 'kind' | 'day'>): Asked {
  const { list, from, to } = scheduledExports[kind]
  const start = new Date(`${day}T00:00:00+08:00`)
  const query = { [from]: start, [to]: new Date(start.getTime() + DAY_MS) }
  return { list, query: keepQuery(query), filter: filterOf({ name: list, query }) }
}

/** Begins the files of schedules that are due. */
export const startScheduled = ({ database }: Services): Promise<void> => startDueExports(database.pool, askOf)

/** Sends a file of a schedule where it should be. */
export const deliverScheduled = ({ database, config }: Services, reference: RunReference): Promise<void> =>
  deliverExport(
    {
      pool: database.pool,
      dataKeys: config.DATA_KEY,
      reach: config.platform === 'sandbox' ? 'loopback' : 'public',
      types: fileTypes,
    },
    reference,
  )
