import type { TestWorld } from './test-world.ts'

/** Holds the clock of the business at one instant of the database, to the microsecond; `passTime` starts it again. */
export const stopClock = (world: TestWorld, instant: string) =>
  world.query(
    `CREATE OR REPLACE FUNCTION business_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
     AS $$SELECT timestamptz '${instant}'$$`,
  )
