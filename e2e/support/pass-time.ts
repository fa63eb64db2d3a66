import { moveClock } from './move-clock.ts'
import { world } from './world.ts'

export type Span = { days?: number; hours?: number; minutes?: number }

let hoursPassed = 0

/** How many hours this process has let pass: what a session opened before may no longer open. */
export const passedHours = (): number => hoursPassed

/** Lets time pass by the sandbox's clock, for API, console and phones alike. */
export async function passTime({ days = 0, hours = 0, minutes = 0 }: Span): Promise<void> {
  const span = days * 24 + hours + minutes / 60
  await moveClock(world().sandboxUrl, span)
  hoursPassed += span
}
