import { scheduler } from 'node:timers/promises'
import type { Drill, Stage } from './drill.ts'
import { type Release, thisRelease } from './programs.ts'

/** The order's proof: none of at least this many requests fails. */
const fewestRequests = 5_000
const patienceSeconds = 180
const load = { customerEveryMs: 400, readEveryMs: 15 }
const limits = { failed: 0, requests: fewestRequests }

/** One program after the other: it ends in order, and the next one waits until it is ready again. */
async function restartAll({ world, requests, wait }: Stage, release?: Release): Promise<void> {
  for (const program of [...world.fleet.workers, ...world.fleet.apis]) await program.restart(release)
  for (let waited = 0; requests() < fewestRequests && waited < patienceSeconds; waited += 1) await wait(1)
}

const reportSeconds = 60

/** A report that reads the orders for a minute, and so holds the weakest lock on them. */
async function report({ world }: Stage): Promise<void> {
  const client = await world.pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT 1 FROM orders LIMIT 1')
    await scheduler.wait(reportSeconds * 1000)
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

export const releaseDrills: readonly Drill[] = [
  {
    name: 'rolling-restart',
    title: 'Every API and worker restarted, one after the other',
    load,
    limits,
    act: (stage) => restartAll(stage),
    thenSeconds: 5,
  },
  {
    name: 'rolling-upgrade',
    title: 'Previous release, migrated and replaced one by one',
    beginsWithPrevious: true,
    load,
    limits,
    act: async (stage) => {
      await stage.world.migrate(thisRelease)
      await restartAll(stage, thisRelease)
    },
    thenSeconds: 5,
  },
  {
    name: 'migration-under-report',
    title: 'Migration while a report reads the orders for 60 s',
    beginsWithPrevious: true,
    limits: { failed: 0, slowestWriteSeconds: 2 },
    act: async (stage) => {
      await Promise.all([report(stage), stage.world.migrate(thisRelease)])
    },
    thenSeconds: 5,
  },
]
