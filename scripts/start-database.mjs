import { buildPrograms } from './build-programs.mjs'
import { interruption } from './interruption.mjs'
import { hasDatabase, readSettings } from './read-settings.mjs'
import { Refusal } from './refusal.mjs'
import { say, step } from './show-progress.mjs'
import { useDatabase } from './use-database.mjs'

/** `npm run db:start`: the embedded database alone, until Ctrl-C. */
export async function startDatabase() {
  const settings = readSettings()
  if (hasDatabase(settings)) {
    throw new Refusal('DATABASE_URL is set: that database is used, the embedded one is not started.')
  }
  await buildPrograms(['@meridian/db'])
  const database = await step('Starting the embedded PostgreSQL', () => useDatabase(settings))
  console.log(`DATABASE_URL=${database.databaseUrl}`)
  if (!database.startedHere) {
    say('It runs already and belongs to another command, which will stop it.')
    return 0
  }
  say('Ready. Ctrl-C stops it.')
  await untilInterrupted()
  await database.stop()
  say('Stopped.')
  return 0
}

/** @returns {Promise<void>} */
function untilInterrupted() {
  return new Promise((resolve) => {
    const stayAwake = setInterval(() => undefined, 60_000)
    const end = () => {
      clearInterval(stayAwake)
      resolve()
    }
    if (interruption.aborted) end()
    else interruption.addEventListener('abort', end, { once: true })
  })
}
