import { installDependencies } from './install-dependencies.mjs'
import { interruption, listenForInterruption } from './interruption.mjs'
import { Interrupted, Refusal } from './refusal.mjs'
import { killEverything } from './run-command.mjs'
import { say } from './show-progress.mjs'

/**
 * Each command is one story; it answers with its exit code, or with nothing when a program goes on in this
 * process.
 * @type {Record<string, (args: string[]) => Promise<number | undefined>>}
 */
const commands = {
  start: async () => (await import('./start.mjs')).start(),
  test: async (args) => (await import('./test.mjs')).test(args),
  'test:faults': async () => (await import('./run-tool.mjs')).testFaults(),
  'test:mutants': async () => (await import('./run-tool.mjs')).testMutants(),
  'test:watch': async (args) => (await import('./test-watch.mjs')).testWatch(args),
  lint: async (args) => (await import('./run-tool.mjs')).lint(args),
  format: async (args) => (await import('./run-tool.mjs')).format(args),
  typecheck: async () => (await import('./check.mjs')).typecheck(),
  check: async () => (await import('./check.mjs')).check(),
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
