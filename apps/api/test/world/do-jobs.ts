import { runOnce } from 'graphile-worker'
import { openQueue } from '../../src/doors/jobs/job-door.ts'
import { handOverDueJobs } from '../../src/jobs/due-jobs.ts'
import type { Jobs } from '../../src/jobs/job-table.ts'
import type { TestWorld } from './test-world.ts'

/** Does every job that is due, as a worker does, then rests. One that fails is left for its next try. */
export async function doDueJobs({ services, metrics }: TestWorld): Promise<void> {
  const queue = openQueue(services, metrics)
  try {
    await handOverDueJobs(queue.pgPool)
    do await runOnce(queue)
    while ((await handOverDueJobs(queue.pgPool)) > 0)
  } finally {
    await queue.pgPool.end()
  }
}

/** Does one job now, and whatever else is due. */
export async function doJob<Name extends keyof Jobs>(
  world: TestWorld,
  name: Name,
  payload: Jobs[Name],
): Promise<void> {
  await world.query('SELECT graphile_worker.add_job($1, $2::json)', [name, JSON.stringify(payload)])
  await doDueJobs(world)
}
