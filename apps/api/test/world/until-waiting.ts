import { expect } from 'vitest'
import type { TestWorld } from './test-world.ts'

/** Until so many statements, or more, wait for a lock in the database that is asked. */
export async function untilWaiting({ query }: Pick<TestWorld, 'query'>, count: number): Promise<void> {
  const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`
  await expect
    .poll(async () => (await query<{ count: number }>(waiting))[0]?.count)
    .toBeGreaterThanOrEqual(count)
}
