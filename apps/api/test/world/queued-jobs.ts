import type { TestWorld } from './test-world.ts'

/**
 * Every job that waits, as a relation: those of the job library, and those that are handed to it when they are due. The
 * time is the business's own.
 */
export const queuedJobs = `(
  SELECT t.identifier AS job, j.key, j.payload, j.run_at + (business_now() - now()) AS run_at
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  UNION ALL SELECT job, key, payload, run_at FROM due_jobs) queued`

/** Nothing waits any more. */
export async function forgetJobs(world: TestWorld): Promise<void> {
  await world.query('SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs')
  await world.query('DELETE FROM due_jobs')
}
