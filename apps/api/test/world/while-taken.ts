import { openPool } from '@meridian/db'
import type { TestWorld } from './test-world.ts'
import { untilWaiting } from './until-waiting.ts'

/** Does the work while a worker takes the job of this key: the work waits for it, and goes on when the worker has it. */
export async function whileTaken<Result>(
  world: TestWorld,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const worker = openPool(world.databaseUrl, { maxConnections: 1 })
  const taking = await worker.connect()
  try {
    await taking.query('BEGIN')
    await taking.query(
      `UPDATE graphile_worker._private_jobs SET locked_by = 'worker', locked_at = now() WHERE key = $1`,
      [key],
    )
    const done = work()
    await untilWaiting(world, 1)
    await taking.query('COMMIT')
    return await done
  } finally {
    taking.release()
    await worker.end()
  }
}
