import type { TestWorld } from './test-world.ts'

export const dayMs = 86_400_000

/** Holds the clock of the business at one instant of the database, to the microsecond; `passTime` starts it again. */
export const stopClock = (world: TestWorld, instant: string) =>
  world.query(
    `CREATE OR REPLACE FUNCTION business_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
     AS $$SELECT timestamptz '${instant}'$$`,
  )

/** The clock of a test, held so many days and milliseconds after its beginning. */
export function heldClock(world: TestWorld) {
  let start = 0
  const at = (days: number, ms = 0) => new Date(start + days * dayMs + ms)
  const holdAt = (days: number, ms = 0) => stopClock(world, at(days, ms).toISOString())
  /** Begins now, in whole seconds. */
  const begin = () => {
    start = Math.floor(world.services.runtime.now().getTime() / 1000) * 1000
    return holdAt(0)
  }
  return { at, holdAt, begin }
}
