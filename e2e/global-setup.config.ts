import { findBrowser } from './support/find-browser.ts'
import { startWorld } from './support/start-world.ts'

/** Builds the world once per run; the returned function takes it down, also after an interruption. */
export default async function globalSetup() {
  process.env['MERIDIAN_E2E_BROWSER'] = JSON.stringify(await browserOrEnd())
  const { world, stop } = await startWorld()
  process.env['MERIDIAN_E2E_WORLD'] = JSON.stringify(world)
  return stop
}

async function browserOrEnd() {
  try {
    return await findBrowser()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
