import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkout, dataFolder, inCheckout } from './checkout.mjs'
import { holdLock } from './hold-lock.mjs'
import { interruption, listenForInterruption } from './interruption.mjs'
import { Interrupted, Refusal } from './refusal.mjs'
import { killEverything, runCommand } from './run-command.mjs'
import { say, step } from './show-progress.mjs'

/**
 * @typedef {{ version?: string, link?: boolean, optional?: boolean, devOptional?: boolean, os?: string[], cpu?: string[] }} LockEntry
 */

/** Installs exactly what package-lock.json says, development tools too, unless it is there already. */
async function installDependencies() {
  if (isInstalled()) return
  await holdLock(join(dataFolder, 'install.lock'), async () => {
    if (isInstalled()) return
    await step('Installing the dependencies (npm ci)', installNow)
  })
}

async function installNow() {
  const { npm_execpath: npm, NODE_ENV: _, ...inherited } = process.env
  const env = { ...inherited, npm_config_loglevel: 'error', npm_config_progress: 'false' }
  /** @type {[string, ...string[]]} */
  const thisNpm = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm']
  const { code, output } = await runCommand([...thisNpm, 'ci', '--include=dev'], { cwd: checkout, env })
  if (code !== 0) throw new Refusal(`The dependencies could not be installed. npm says:\n${output.trim()}`)
  if (!isInstalled())
    throw new Refusal('npm ci has ended well, yet node_modules does not match package-lock.json.')
}

/** npm leaves a lockfile of its own in node_modules at the end of each complete installation. */
function isInstalled() {
  const left = inCheckout('node_modules', '.package-lock.json')
  if (!existsSync(left)) return false
  const installed = readPackages(left)
  const wanted = readPackages(inCheckout('package-lock.json'))
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes('node_modules/')) continue
    const found = installed[path]
    if (found === undefined && (entry.optional || entry.devOptional)) continue
    if (found === undefined || found.version !== entry.version) return false
    // A workspace that is new in the lockfile is installed by its link alone.
    if (entry.link && !existsSync(inCheckout(path))) return false
  }
  return Object.values(installed).every(runsHere)
}

/** node_modules may come from another kind of machine (a mounted folder). @param {LockEntry} entry */
function runsHere(entry) {
  return fits(entry.os, process.platform) && fits(entry.cpu, process.arch)
}

/** @param {string[] | undefined} allowed @param {string} here */
function fits(allowed, here) {
  if (allowed === undefined || allowed.length === 0) return true
  return allowed.some(
    (name) => name === here || name === 'any' || (name.startsWith('!') && name !== `!${here}`),
  )
}

/** @param {string} file @returns {Record<string, LockEntry>} */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

/**
 * Each command is one story; it answers with its exit code, or with nothing when a program goes on in this
 * process.
 * @type {Record<string, (args: string[]) => Promise<number | undefined>>}
 */
const commands = {
  build: async () => (await import('./build-release.mjs')).buildRelease(),
  start: async () => (await import('./start.mjs')).start(),
  test: async (args) => (await import('./test.mjs')).test(args),
  'test:faults': async () => (await import('./run-tool.mjs')).testFaults(),
  'drill:restore': async () => (await import('./run-tool.mjs')).drillRestore(),
  'test:mutants': async () => (await import('./run-tool.mjs')).testMutants(),
  drill: async (args) => (await import('./run-tool.mjs')).drill(args),
  'test:watch': async (args) => (await import('./test-watch.mjs')).testWatch(args),
  lint: async (args) => (await import('./run-tool.mjs')).lint(args),
  format: async (args) => (await import('./run-tool.mjs')).format(args),
  typecheck: async () => (await import('./check.mjs')).typecheck(),
  check: async () => (await import('./check.mjs')).check(),
  'check:deploy': async () => (await import('./run-tool.mjs')).checkDeploy(),
  dev: async () => (await import('./dev.mjs')).dev(),
  bench: async (args) => (await import('./bench.mjs')).bench(args),
  demo: async (args) => (await import('./demo.mjs')).demo(args),
  screenshots: async () => (await import('./run-tool.mjs')).screenshots(),
  'db:backup': async (args) => (await import('./back-up.mjs')).backUpDatabase(args),
  'db:restore': async (args) => (await import('./back-up.mjs')).restoreDatabase(args),
  sql: async (args) => (await import('./run-tool.mjs')).printSql(args),
  dependencies: async () => (await import('./list-dependencies.mjs')).listDependencies(),
  'db:seed': async (args) => (await import('./seed-database.mjs')).seedDatabase(args),
  'db:reset': async () => (await import('./reset-database.mjs')).resetDatabase(),
  psql: async (args) => (await import('./open-psql.mjs')).openPsql(args),
  hooks: async () => (await import('./use-hooks.mjs')).useHooks(),
  'migrate:new': async (args) => (await import('./run-tool.mjs')).newMigration(args),
  'db:start': async () => (await import('./start-database.mjs')).startDatabase(),
}

/** Everything that `npm run` can name. */
export async function commandNames() {
  const { programs } = await import('./run-program.mjs')
  return [...Object.keys(commands), ...Object.keys(programs)]
}

/** @param {string} name */
async function findCommand(name) {
  const { programs, runProgram } = await import('./run-program.mjs')
  const program = programs[name]
  if (program !== undefined) return (/** @type {string[]} */ args) => runProgram(program, args)
  const command = commands[name]
  if (command !== undefined) return command
  const names = (await commandNames()).join(', ')
  throw new Refusal(`There is no command "${name}". There are: ${names}.`)
}

/**
 * @param {string} name
 * @param {string[]} args
 */
export async function runNamedCommand(name, args) {
  listenForInterruption(killEverything)
  try {
    const command = await findCommand(name)
    await installDependencies()
    const code = await command(args)
    if (code !== undefined) process.exit(code)
  } catch (error) {
    if (error instanceof Interrupted || interruption.aborted) {
      say('Stopped.')
      process.exit(130)
    }
    say(error instanceof Refusal ? error.message : String(error instanceof Error ? error.stack : error))
    process.exit(1)
  }
}
