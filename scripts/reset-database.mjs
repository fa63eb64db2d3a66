import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { checkout, dataFolder } from './checkout.mjs'
import { queryOnce, withLocalDatabase } from './local-database.mjs'
import { Refusal } from './refusal.mjs'
import { programs, runProgram } from './run-program.mjs'
import { say, step } from './show-progress.mjs'

/** `npm run db:reset`: the embedded database of this checkout as new, and with it what the sandbox remembers of it. */
export async function resetDatabase() {
  await withLocalDatabase('npm run db:reset', async ({ databaseUrl, startedHere }) => {
    if (!startedHere)
      throw new Refusal('The database is in use by another command (npm start, db:start …): stop that first.')
    await step('Dropping the database', () => drop(databaseUrl))
  })
  // Its orders and its clock belong to the database that is gone, the staff of the demo too.
  rmSync(join(dataFolder, 'sandbox'), { recursive: true, force: true })
  rmSync(join(dataFolder, 'demo-staff.json'), { force: true })
  const migration = programs['db:migrate']
  if (migration === undefined) throw new Error('There is no db:migrate')
  const code = (await runProgram(migration, ['--samples'])) ?? 0
  if (code === 0) say('The database is new. npm start uses it, npm run db:seed fills it.')
  return code
}

/** @param {string} databaseUrl */
async function drop(databaseUrl) {
  const name = new URL(databaseUrl).pathname.slice(1)
  await queryOnce(new URL('/postgres', databaseUrl).href, async (pool) => {
    await refuseOtherServer(pool)
    await pool.query(`DROP DATABASE "${name}"`)
  })
}

/** The address is our own; that it leads to our own files is asked of the server. @param {import('@meridian/db').Pool} pool */
async function refuseOtherServer(pool) {
  /** @type {typeof import('@meridian/embedded-postgres')} */
  const { chooseHome, placesIn } = await tsImport('@meridian/embedded-postgres', import.meta.url)
  const { rows } = await pool.query(`SELECT current_setting('data_directory') AS folder`)
  const { cluster } = placesIn(chooseHome(checkout))
  if (rows[0]?.folder !== cluster)
    throw new Refusal(
      `The server keeps its data in ${rows[0]?.folder}, not in ${cluster}: nothing is dropped.`,
    )
}
