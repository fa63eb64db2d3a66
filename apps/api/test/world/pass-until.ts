import type { TestWorld } from './test-world.ts'

/** Lets time pass until this instant, to the second above; nothing when it is past. */
export async function passUntil(world: TestWorld, instant: Date): Promise<void> {
  const seconds = Math.ceil((instant.getTime() - world.services.runtime.now().getTime()) / 1000)
  if (seconds > 0) await world.passTime({ seconds })
}
