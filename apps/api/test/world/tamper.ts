import type { TestWorld } from './test-world.ts'

/**
 * What somebody who owns the database can do behind its back: its triggers sleep meanwhile. For damage alone, never to
 * let time pass.
 */
export async function tamper(world: Pick<TestWorld, 'query'>, sql: string): Promise<void> {
  await world.query(`BEGIN; SET LOCAL session_replication_role = replica; ${sql}; COMMIT`)
}
