import type { World } from './start-world.ts'

const WORLDS = 'MERIDIAN_E2E_WORLDS'

/** Tells the tests' processes where their worlds are. */
export function announceWorlds(worlds: readonly World[]): void {
  process.env[WORLDS] = JSON.stringify(worlds)
}

/** Does something in a world of its own, in place of that of this process. */
export async function within<Result>(own: World, work: () => Promise<Result>): Promise<Result> {
  const others = process.env[WORLDS]
  const index = Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)
  announceWorlds(Array.from({ length: index + 1 }, () => own))
  try {
    return await work()
  } finally {
    process.env[WORLDS] = others
  }
}

/** The world of this process: each of those that run journeys at the same time has one to itself. */
export function world(): World {
  const described: World[] = JSON.parse(process.env[WORLDS] ?? '[]')
  const own = described[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)]
  if (!own) throw new Error('The journeys run through Playwright, whose set-up builds their worlds.')
  return own
}
