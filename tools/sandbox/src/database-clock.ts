import { schedule } from '@meridian/contracts'
import { moveClock, readClock, waitForIdleQueue } from '@meridian/db/clock'
import type { ApiClock } from './sandbox-clock.ts'

/** What the jobs of one step may take before the next one begins. */
const jobsPatienceMs = 15_000

/** The clock of an API as its database keeps it, for whoever is the owner of that database. */
export const databaseClock = (databaseUrl: string): ApiClock => ({
  readAheadMs: () => readClock(databaseUrl),
  move: (byMs) => moveClock(databaseUrl, { byMs, schedule }),
  waitForJobs: () =>
    waitForIdleQueue(databaseUrl, { workersName: 'meridian-jobs', patienceMs: jobsPatienceMs }),
})
