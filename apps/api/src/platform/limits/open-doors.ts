import {
  type DatabaseOptions,
  type OpenDatabase,
  openDatabase,
  openPool,
  type Pool,
  type PoolOptions,
  type ServerTimeouts,
} from '@meridian/db'
import type { ConnectionShares } from './share-connections.ts'

/** Who asks the database: each door has connections of its own, so that none can take those of another. */
export const doors = ['payments', 'phones', 'console', 'jobs'] as const
export type Door = (typeof doors)[number]

type Budget = ServerTimeouts & {
  /** How long a caller of this door waits for a connection. */
  waitMs: number
}

/** How many jobs a process works at once. */
export const jobsAtOnce = 4

/** What each door waits for; docs/operations.md names them all. */
export const doorBudgets: Readonly<Record<Door, Budget>> = {
  // Notifications are answered within 4 s, purchases and syncs within 5 s: whoever cannot be served has to know sooner.
  payments: { waitMs: 2_000, statementMs: 3_000, lockMs: 2_000, idleInTransactionMs: 5_000 },
  phones: { waitMs: 5_000, statementMs: 10_000, lockMs: 3_000, idleInTransactionMs: 10_000 },
  console: { waitMs: 5_000, statementMs: 15_000, lockMs: 5_000, idleInTransactionMs: 15_000 },
  jobs: { waitMs: 10_000, statementMs: 60_000, lockMs: 10_000, idleInTransactionMs: 60_000 },
}

/** The server ends a statement first; a server that does not answer at all is given up a second later. */
const graceMs = 1_000

/** Opens the connections of one door, to the server at this address. */
export const openDoor = (databaseUrl: string, door: Door, options: DatabaseOptions): OpenDatabase => {
  const { waitMs, ...serverTimeouts } = doorBudgets[door]
  return openDatabase(databaseUrl, {
    ...options,
    connectTimeoutMs: waitMs,
    statementTimeoutMs: serverTimeouts.statementMs + graceMs,
    serverTimeouts,
  })
}

/** Opens the connections of every door; none connects before its first statement. */
export function openDoors(
  databaseUrl: string,
  shares: ConnectionShares,
  options: DatabaseOptions,
): Readonly<Record<Door, OpenDatabase>> {
  const open = (door: Door) => openDoor(databaseUrl, door, { ...options, maxConnections: shares[door] })
  return { payments: open('payments'), phones: open('phones'), console: open('console'), jobs: open('jobs') }
}

/**
 * Opens the connection of whoever notices that something is wrong, and tells it. It stays open, and whoever waits for a
 * new one is patient: a database that is slow takes its time for each of the five steps in which a connection opens.
 */
export const openAlarmPool = (
  databaseUrl: string,
  connections: number,
  heard: Pick<PoolOptions, 'onIdleError' | 'onAnswer' | 'onSilence' | 'sharesSessions'>,
): Pool =>
  openPool(databaseUrl, {
    applicationName: 'meridian-alarms',
    maxConnections: connections,
    minConnections: connections,
    connectTimeoutMs: 15_000,
    statementTimeoutMs: 5_000,
    serverTimeouts: { statementMs: 4_000, lockMs: 2_000, idleInTransactionMs: 5_000 },
    ...heard,
  })
