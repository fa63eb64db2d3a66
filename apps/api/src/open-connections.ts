import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { watchDatabase } from './platform/database/watch-database.ts'
import { doors, openAlarmPool, openDoors } from './platform/limits/open-doors.ts'
import { shareConnections } from './platform/limits/share-connections.ts'

/** Opens the connections of this process, shared out by its role, and watches the database by what becomes of them. */
export function openConnections(config: Config, log: Logger) {
  const shares = shareConnections(config.DATABASE_POOL_SIZE, config.MERIDIAN_ROLE)
  let sharesSessions = false
  const heard = {
    sharesSessions: () => sharesSessions,
    onIdleError: (error: Error) => log.warn({ reason: error.message }, 'database connection lost'),
    onAnswer: () => databaseState.answered(),
    onSilence: () => databaseState.suspectWrites(),
  }
  const opened = openDoors(config.database.url, shares, { applicationName: 'meridian-api', ...heard })
  const alarmPool = openAlarmPool(config.database.url, shares.alarms, heard)
  const databaseState = watchDatabase({
    pools: [alarmPool, ...doors.map((door) => opened[door].pool)],
    databaseUrl: config.database.url,
  })
  return {
    doors: opened,
    alarmPool,
    databaseState,
    shares,
    /** From now on nothing is set for a session of the database: a pooler lends it to others. */
    leaveSessionsAlone: () => {
      sharesSessions = true
    },
  }
}
