import { join } from 'node:path'
import { buildPrograms } from './build-programs.mjs'
import { checkPorts } from './check-ports.mjs'
import { dataFolder, inCheckout } from './checkout.mjs'
import { ensureOwner } from './ensure-owner.mjs'
import { interruption } from './interruption.mjs'
import { keepSecrets } from './keep-secrets.mjs'
import { planStart, sandboxSettings } from './plan-start.mjs'
import { builtFiles } from './program-files.mjs'
import { hasDatabase } from './read-settings.mjs'
import { Refusal } from './refusal.mjs'
import { refuseLostSecrets } from './refuse-lost-secrets.mjs'
import { runCommand } from './run-command.mjs'
import { say, step } from './show-progress.mjs'
import { startLoggedProgram } from './start-logged-program.mjs'

/** @typedef {import('./supervise-program.mjs').RunningProgram} RunningProgram */
/** @typedef {import('./plan-start.mjs').StartPlan} StartPlan */

/** `npm start`: everything Meridian consists of, for production, until Ctrl-C. */
export function start() {
  return startEverything({ files: builtFiles, environment: 'production', prepare: buildPrograms })
}

/**
 * @typedef {object} StartOptions
 * @property {import('./program-files.mjs').ProgramFiles} files
 * @property {'production' | 'development'} environment
 * @property {() => Promise<void>} prepare
 * @property {() => Promise<number>} [work] what is done with it all, which ends when this does
 */

/** @param {StartOptions} options */
export async function startEverything(options) {
  await refuseLostSecrets()
  const plan = planStart(keepSecrets(), options)
  await checkPorts(plan.ports)
  await options.prepare()
  const { useDatabase } = await import('./use-database.mjs')
  const database = await step(
    hasDatabase(plan.settings) ? 'Using the database of DATABASE_URL' : 'Starting the embedded PostgreSQL',
    () => useDatabase(plan.settings),
  )
  plan.settings.DATABASE_URL = database.databaseUrl
  delete plan.settings.DATABASE_URL_FILE
  /** @type {RunningProgram[]} */
  const running = []
  try {
    await step('Applying migrations', () => bothOf(migrate(plan), startSandbox(plan, running)))
    const [owner] = await step('Starting the API and the console', () =>
      bothOf(ensureOwner(plan), startPrograms(plan, database, running)),
    )
    if (options.work === undefined) introduce(plan, owner)
    return await untilOver(running, options.work?.())
  } catch (error) {
    if (!interruption.aborted) throw error
    return 0
  } finally {
    await stopAll(running, database)
  }
}

/**
 * Side by side; a failure is passed on when both have come to their end, so that nothing starts after it.
 * @template One, Other
 * @param {Promise<One>} one
 * @param {Promise<Other>} other
 * @returns {Promise<[One, Other]>}
 */
async function bothOf(one, other) {
  await Promise.allSettled([one, other])
  return Promise.all([one, other])
}

/** @param {StartPlan} plan */
async function migrate({ files, settings, sandbox }) {
  const command = files.apiCommand('migrate', sandbox === null ? [] : ['--samples'])
  const { code, output } = await runCommand([process.execPath, ...command], { env: settings })
  if (code !== 0) throw new Refusal(`The migrations could not be applied.\n${output.trim()}`)
}

/**
 * @param {StartPlan} plan
 * @param {RunningProgram[]} running filled as programs start, so that a failure half-way stops those
 */
async function startSandbox({ sandbox, settings, files }, running) {
  if (sandbox === null) return
  const { url } = sandbox
  // As its owner: the sandbox moves the one clock, which the API's own user may not.
  const player = JSON.stringify([process.execPath, inCheckout('scripts', 'bootstrap.mjs'), 'demo'])
  const env = { ...sandbox.env, DATABASE_URL: settings.DATABASE_URL, DEMO_COMMAND: player }
  await startLoggedProgram({ name: 'sandbox', command: files.sandbox, env, ready: url }, running)
  Object.assign(settings, sandboxSettings(sandbox))
}

/**
 * @param {StartPlan} plan
 * @param {import('./use-database.mjs').UsedDatabase} database
 * @param {RunningProgram[]} running
 */
async function startPrograms(plan, { runtimeUrl, erasureListFile }, running) {
  const env = { ERASURE_LIST_FILE: erasureListFile, ...plan.settings, DATABASE_URL: runtimeUrl }
  const api = { name: 'api', command: plan.files.api, env, ready: `${plan.apiUrl}/readyz` }
  await bothOf(
    startLoggedProgram(api, running),
    startLoggedProgram({ ...plan.console, name: 'console' }, running),
  )
}

/**
 * @param {StartPlan} plan
 * @param {import('./ensure-owner.mjs').Owner} owner
 */
function introduce(plan, owner) {
  const password =
    owner.password === null
      ? 'the password you chose'
      : `${owner.password}${plan.sandbox === null ? '   (to be changed at the first sign-in)' : ''}`
  const phone =
    plan.sandbox === null
      ? ['Payments   the real platform, as the WECHAT_* settings say']
      : [`Phone      ${plan.sandbox.url}   plays the mini-program; payments go to the sandbox`]
  const lines = [
    '',
    'Meridian is ready.',
    '',
    `Console    ${plan.consoleUrl}`,
    `  e-mail     ${owner.email}`,
    `  password   ${password}`,
    '  code       of an authenticator app: the console sets it up at the first sign-in',
    `API        ${plan.apiUrl}`,
    `  docs       ${plan.apiUrl}/api/v1/docs`,
    ...phone,
    `Logs       ${join(dataFolder, 'logs')}`,
    '',
    'Ctrl-C stops everything; what was stored stays.',
    '',
  ]
  console.log(lines.join('\n'))
}

/**
 * @param {readonly RunningProgram[]} running
 * @param {Promise<number>} [work]
 * @returns {Promise<number>}
 */
async function untilOver(running, work) {
  const interrupted = new Promise((resolve) => {
    if (interruption.aborted) resolve(null)
    else interruption.addEventListener('abort', () => resolve(null), { once: true })
  })
  const dead = await Promise.race([
    interrupted,
    ...(work === undefined ? [] : [work]),
    ...running.map((program) => program.ended.then(() => program)),
  ])
  const deadProgram = running.find((program) => program === dead)
  if (deadProgram === undefined) return typeof dead === 'number' ? dead : 0
  say(
    `\nThe ${deadProgram.name} has ended by itself (exit code ${await deadProgram.ended}); everything is stopped. Its last lines:`,
  )
  for (const line of deadProgram.lastLines) say(`  ${line}`)
  return 1
}

/**
 * The console first and the database last: who asks stops before who answers.
 * @param {readonly RunningProgram[]} running
 * @param {import('./use-database.mjs').UsedDatabase} database
 */
async function stopAll(running, database) {
  if (interruption.aborted) say('\nStopping …')
  const order = ['console', 'api', 'sandbox']
  for (const name of order) await running.find((program) => program.name === name)?.stop()
  await database.stop()
  say('Stopped.')
}
