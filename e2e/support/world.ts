import type { World } from './start-world.ts'

/** The world that the global set-up has built for this run. */
export function world(): World {
  const described = process.env['MERIDIAN_E2E_WORLD']
  if (described === undefined)
    throw new Error('The journeys run through Playwright, whose set-up builds their world.')
  return JSON.parse(described)
}
