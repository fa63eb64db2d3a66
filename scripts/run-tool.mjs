import { buildPrograms, runTurbo } from './build-programs.mjs'
import { callerPath, checkout, inCheckout, nodeModule } from './checkout.mjs'
import { runCommand } from './run-command.mjs'

/**
 * Runs a program of ours or of node_modules to its end, in this terminal, and answers its exit code.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
async function runTool(args, env = process.env) {
  const { code } = await runCommand([process.execPath, ...args], { cwd: checkout, env, output: 'show' })
  return code
}

/** `npm run lint`: format and lint of everything, or of these paths; changes nothing. @param {string[]} paths */
export const lint = (paths) =>
  runTool([nodeModule('@biomejs/biome/bin/biome'), 'check', ...paths.map(callerPath)])

/** `npm run format`: writes the format and what can be corrected without a doubt. @param {string[]} paths */
export const format = (paths) =>
  runTool([nodeModule('@biomejs/biome/bin/biome'), 'check', '--write', ...paths.map(callerPath)])

/**
 * `npm run migrate:new -- <name>`: the SQL that leads from the committed Prisma schema to the one at hand, as a file.
 * @param {string[]} args
 */
export const newMigration = (args) =>
  runTool(['--import', 'tsx', inCheckout('packages/db/development/migrate-new.ts'), ...args])

/**
 * `npm run sql -- <name>`: a statement as PostgreSQL gets it; without a name their list, with --write docs/sql anew.
 * @param {string[]} args
 */
export const printSql = (args) =>
  runTool(['--import', 'tsx', 'apps/api/test/statements/print-sql.ts', ...args])

/** `npm run check:deploy`: the files of deploy/ by the programs that read them; says which of those are missing. */
export const checkDeploy = () => runTool(['--import', 'tsx', 'tools/deploy-checks/main.ts'])

/** `npm run screenshots`: draws docs/images/ anew from the production builds and realistic data. */
export async function screenshots() {
  await buildPrograms()
  return runTool([nodeModule('tsx/dist/cli.mjs'), inCheckout('e2e/screenshots/take-screenshots.ts')])
}

/**
 * `npm run test:faults`: thousands of orders while programs and database are killed; sizes by the environment.
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function testFaults(env) {
  await buildPrograms(['@meridian/api', '@meridian/sandbox'])
  return runTool(['--import', 'tsx', 'tools/faults/main.ts'], env)
}

/** `npm run drill:restore`: loses a database's disk and brings everything back; 2 where a program is missing. */
export async function drillRestore() {
  await buildPrograms(['@meridian/api', '@meridian/sandbox'])
  return runTool(['--import', 'tsx', 'tools/restore-drill/main.ts'])
}

/**
 * `npm run test:mutants`: whether the tests notice that the money code is changed; sizes by the environment.
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function testMutants(env) {
  await runTurbo(['run', 'generate'])
  return runTool(['--import', 'tsx', 'tools/mutants/main.ts'], env)
}

/**
 * `npm run drill`: fail-over drills of a whole installation; `-- --list` names them, `-- --only name,…` chooses.
 * @param {string[]} args
 */
export async function drill(args) {
  await buildPrograms(['@meridian/api', '@meridian/sandbox'])
  return runTool(['--import', 'tsx', 'tools/drill/main.ts', ...args])
}
