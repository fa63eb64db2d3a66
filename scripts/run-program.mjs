import { pathToFileURL } from 'node:url'
import { buildPrograms, runTurbo } from './build-programs.mjs'
import { checkout, inCheckout } from './checkout.mjs'
import { leaveSignalsToTheProgram } from './interruption.mjs'
import { hasDatabase, readSettings } from './read-settings.mjs'
import { Refusal } from './refusal.mjs'
import { settingsOfStart } from './settings-of-start.mjs'
import { say } from './show-progress.mjs'
import { startProgram } from './supervise-program.mjs'

/**
 * @typedef {object} Program
 * @property {string} file what Node runs
 * @property {string} [source] what it is built of, for `--sources`
 * @property {string} workspace what has to be built for it
 * @property {boolean} [database] it needs DATABASE_URL
 * @property {boolean} [asStarted] it gets the settings with which `npm start` runs the API
 * @property {boolean} [asOwner] it works on the embedded database as its owner
 * @property {Record<string, string>} [settings] on top of the environment
 */

const api = {
  file: 'apps/api/dist/main.js',
  source: 'apps/api/src/main.ts',
  workspace: '@meridian/api',
  database: true,
}

/** @param {string} name */
const apiCommand = (name) => ({
  ...api,
  asOwner: true,
  file: `apps/api/dist/commands/${name}.js`,
  source: `apps/api/src/commands/${name}.ts`,
})

/** What `npm run <name>` runs. @type {Record<string, Program>} */
export const programs = {
  api,
  worker: { ...api, settings: { MERIDIAN_ROLE: 'worker' } },
  admin: { file: 'apps/admin/start.mjs', workspace: '@meridian/admin' },
  sandbox: {
    file: 'tools/sandbox/dist/sandbox.js',
    source: 'tools/sandbox/src/main.ts',
    workspace: '@meridian/sandbox',
  },
  'db:migrate': apiCommand('migrate'),
  'db:heal': { ...apiCommand('heal-payments'), asStarted: true },
  'operator:create': apiCommand('create-operator'),
  'erasures:apply': apiCommand('apply-erasures'),
  'ledger:verify': { ...apiCommand('verify-ledger'), asStarted: true },
  'audit:verify': apiCommand('verify-audit'),
  import: { ...apiCommand('import-file'), asOwner: false, asStarted: true },
  'data:rekey': apiCommand('rekey-data'),
  doctor: { ...apiCommand('doctor'), asOwner: false, asStarted: true },
}

/** @typedef {{ file: string, fromSources: boolean, args: string[] }} Run */

/**
 * Makes what a program needs. `--sources` runs it as it is written, under tsx: for a debugger, whose breakpoints are then
 * in the very files.
 * @param {Program} program
 * @param {string[]} args
 * @returns {Promise<Run>}
 */
async function prepare(program, args) {
  const rest = args.filter((word) => word !== '--sources')
  if (rest.length === args.length) {
    await buildPrograms([program.workspace])
    return { file: inCheckout(program.file), fromSources: false, args }
  }
  if (program.source === undefined) throw new Refusal('This program cannot be run from its sources.')
  await runTurbo(['run', 'generate'])
  return { file: inCheckout(program.source), fromSources: true, args: rest }
}

/**
 * Prepares a program and runs it: in this very process, so that signals and exit codes are its own, or, when the embedded
 * database has to be stopped after it, as the one child of this process.
 * @param {Program} program
 * @param {string[]} args
 * @returns {Promise<number | undefined>}
 */
export async function runProgram(program, args) {
  const run = await prepare(program, args)
  const settings = { ...(program.asStarted ? settingsOfStart() : readSettings()), ...program.settings }
  settings.NODE_ENV ??= 'production'
  if (program.database && !hasDatabase(settings)) {
    return runOnEmbeddedDatabase(program, { settings, run })
  }
  leaveSignalsToTheProgram()
  Object.assign(process.env, settings)
  process.argv = [process.execPath, run.file, ...run.args]
  process.chdir(checkout)
  if (run.fromSources) (await import('tsx/esm/api')).register()
  await import(pathToFileURL(run.file).href)
  return undefined
}

/**
 * @param {Program} program
 * @param {{ settings: import('./read-settings.mjs').Settings, run: Run }} how
 */
async function runOnEmbeddedDatabase(program, { settings, run }) {
  const { useDatabase } = await import('./use-database.mjs')
  const database = await useDatabase(settings)
  try {
    const running = startProgram({
      name: program.file,
      command: run.fromSources ? ['--import', 'tsx', run.file, ...run.args] : [run.file, ...run.args],
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
