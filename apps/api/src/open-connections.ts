import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { openReplica, type Replica } from './platform/database/open-replica.ts'
import { routeReads } from './platform/database/route-reads.ts'
import { type DatabaseState, watchDatabase } from './platform/database/watch-database.ts'
import { doors, openAlarmPool, openDoors } from './platform/limits/open-doors.ts'
import { shareConnections } from './platform/limits/share-connections.ts'

/** Opens the connections of this process, shared out by its role, and watches the database by what becomes of them. */
export function openConnections(config: Config, log: Logger) {
  const replicaUrl = config.MERIDIAN_ROLE === 'worker' ? null : config.database.read
  const shares = shareConnections(config.DATABASE_POOL_SIZE - (replicaUrl ? 1 : 0), config.MERIDIAN_ROLE)
  let sharesSessions = false
  const heard = {
    sharesSessions: () => sharesSessions,
    onIdleError: (error: Error) => log.warn({ reason: error.message }, 'database connection lost'),
    onAnswer: () => {
      databaseState.answered()
      replica?.primaryAnswered()
    },
    onSilence: () => databaseState.suspectWrites(),
  }
  const opened = openDoors(config.database.url, shares, { applicationName: 'meridian-api', ...heard })
  const alarmPool = openAlarmPool(config.database.url, shares.alarms, heard)
  const databaseState: DatabaseState = watchDatabase({
    pools: [alarmPool, ...doors.map((door) => opened[door].pool)],
    lent: [opened.jobs.pool, opened.console.pool, opened.phones.pool],
    databaseUrl: config.database.url,
  })
  const { sharesSessions: shared, onIdleError } = heard
  const replica: Replica | null = replicaUrl
    ? openReplica({
        primaryUrl: config.database.url,
        replicaUrl,
        shares,
        options: { applicationName: 'meridian-api', sharesSessions: shared, onIdleError },
        onPrimary: () => databaseState.answered(),
        log,
      })
    : null
  return {
    doors: opened,
    alarmPool,
    databaseState: replica ? withReplica(databaseState, replica) : databaseState,
    replica,
    reads: routeReads(opened, replica, log),
    shares,
    /** From now on nothing is set for a session of the database: a pooler lends it to others. */
    leaveSessionsAlone: () => {
      sharesSessions = true
    },
  }
}

/** Reads go on while a replica takes the place of a primary that does not answer; after five seconds it takes no writes. */
const withReplica = (state: DatabaseState, replica: Replica): DatabaseState => ({
  ...state,
  answers: () => state.answers() || replica.replacesPrimary(),
  takesWrites: () => state.takesWrites() && (state.answers() || !replica.replacesPrimary()),
})
