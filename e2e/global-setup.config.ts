import { startWorld } from './support/start-world.ts'

/** Builds the world once per run; the returned function takes it down, also after an interruption. */
export default async function globalSetup() {
  const { world, stop } = await startWorld()
  process.env['MERIDIAN_E2E_WORLD'] = JSON.stringify(world)
  return stop
}
