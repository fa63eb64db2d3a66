import { pathToFileURL } from 'node:url'
import { buildPrograms } from './build-programs.mjs'
import { checkout, inCheckout } from './checkout.mjs'
import { leaveSignalsToTheProgram } from './interruption.mjs'
import { readSettings } from './read-settings.mjs'
import { say } from './show-progress.mjs'
import { startProgram } from './supervise-program.mjs'

/**
 * @typedef {object} Program
 * @property {string} file what Node runs
 * @property {string} workspace what has to be built for it
 * @property {boolean} [database] it needs DATABASE_URL
 * @property {boolean} [asOwner] it works on the embedded database as its owner
 * @property {Record<string, string>} [settings] on top of the environment
 */

const api = { file: 'apps/api/dist/main.js', workspace: '@meridian/api', database: true }

/** @param {string} name */
const apiCommand = (name) => ({ ...api, asOwner: true, file: `apps/api/dist/commands/${name}.js` })

/** What `npm run <name>` runs. @type {Record<string, Program>} */
export const programs = {
  api,
  worker: { ...api, settings: { MERIDIAN_ROLE: 'worker' } },
  admin: { file: 'apps/admin/start.mjs', workspace: '@meridian/admin' },
  sandbox: { file: 'tools/sandbox/dist/sandbox.js', workspace: '@meridian/sandbox' },
  'db:migrate': apiCommand('migrate'),
  'db:heal': apiCommand('heal-payments'),
  'operator:create': apiCommand('create-operator'),
  'erasures:apply': apiCommand('apply-erasures'),
  'ledger:verify': apiCommand('verify-ledger'),
  'audit:verify': apiCommand('verify-audit'),
  'data:rekey': apiCommand('rekey-data'),
}

/**
 * Builds a program if needed and runs it: in this very process, so that signals and exit codes are its own,
 * or, when the embedded database has to be stopped after it, as the one child of this process.
 * @param {Program} program
 * @param {string[]} args
 * @returns {Promise<number | undefined>}
 */
export async function runProgram(program, args) {
  await buildPrograms([program.workspace])
  const settings = { ...readSettings(), ...program.settings }
  settings.NODE_ENV ??= 'production'
  if (program.database && settings.DATABASE_URL === undefined) {
    return runOnEmbeddedDatabase(program, { settings, args })
  }
  leaveSignalsToTheProgram()
  Object.assign(process.env, settings)
  process.argv = [process.execPath, inCheckout(program.file), ...args]
  process.chdir(checkout)
  await import(pathToFileURL(inCheckout(program.file)).href)
  return undefined
}

/**
 * @param {Program} program
 * @param {{ settings: import('./read-settings.mjs').Settings, args: string[] }} run
 */
async function runOnEmbeddedDatabase(program, { settings, args }) {
  const { useDatabase } = await import('./use-database.mjs')
  const database = await useDatabase(settings)
  try {
    const running = startProgram({
      name: program.file,
      command: [inCheckout(program.file), ...args],
      env: {
        ERASURE_LIST_FILE: database.erasureListFile,
        // Nobody balances load between programs that share a database of their own machine.
        DRAIN_SECONDS: '0',
        ...settings,
        DATABASE_URL: program.asOwner ? database.databaseUrl : database.runtimeUrl,
      },
    })
    return await running.untilEnded()
  } finally {
    await database.stop()
    if (database.startedHere) say('The embedded database has stopped.')
  }
}
