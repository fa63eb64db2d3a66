import type { FullConfig } from '@playwright/test'
import { allDone } from './support/all-done.ts'
import { findBrowser } from './support/find-browser.ts'
import { type StartedWorld, startWorld } from './support/start-world.ts'
import { announceWorlds } from './support/world.ts'
import { shareAuthenticators, startTemplates } from './support/world-templates.ts'

/** Builds the worlds once per run; the returned function takes them down, also after an interruption. */
export default async function globalSetup({ workers }: FullConfig) {
  process.env['MERIDIAN_E2E_BROWSER'] = JSON.stringify(await browserOrEnd())
  const stopTemplates = await startTemplates()
  const started = await startWorlds(workers).catch(async (error: unknown) => {
    await stopTemplates()
    throw error
  })
  announceWorlds(started.map(({ world }) => world))
  return async () => {
    await stopAll(started).finally(stopTemplates)
  }
}

/** One for each process that runs journeys; where one cannot be built, none is left. */
async function startWorlds(count: number): Promise<StartedWorld[]> {
  const first = await startWorld()
  const started = [first]
  try {
    await shareAuthenticators(first.world)
    const others = Array.from({ length: count - 1 }, async () => started.push(await startWorld()))
    await allDone(others)
    return started
  } catch (error) {
    await stopAll(started)
    throw error
  }
}

const stopAll = async (started: readonly StartedWorld[]): Promise<void> => {
  await allDone(started.map(({ stop }) => stop()))
}

async function browserOrEnd() {
  try {
    return await findBrowser()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
