import { existsSync } from 'node:fs'
import { runTurbo } from './build-programs.mjs'
import { checkout, inCheckout, nodeModule } from './checkout.mjs'
import { Interrupted } from './refusal.mjs'
import { runCommand } from './run-command.mjs'
import { say, step } from './show-progress.mjs'

/** @typedef {{ name: string, run: () => Promise<{ code: number, output: string }>, configs?: string[] }} StaticCheck */

/** @param {string} file @param {string[]} args */
const tool = (file, ...args) => {
  return () => runCommand([process.execPath, nodeModule(file), ...args], { cwd: checkout })
}

const cruised = ['apps', 'packages', 'e2e', 'scripts', 'tools']
/** A cruiser that reads nothing finds nothing: fewer modules than this is a failure. */
const leastModules = 400

async function cruise() {
  const { code, output } = await tool('dependency-cruiser/bin/dependency-cruise.mjs', ...cruised)()
  const modules = Number(/\((\d+) modules|(\d+) modules/.exec(output)?.slice(1).find(Boolean) ?? 0)
  return modules >= leastModules
    ? { code, output }
    : { code: 1, output: `Only ${modules} modules were read.\n${output}` }
}

/** The interface's document in each language. */
const documents = ['openapi.json', 'openapi.zh-CN.json']

/** The linter of documents asks nobody: neither whether it is the newest nor who uses it. */
const quietly = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** What is wrong with the documents by every rule that is recommended: a warning counts, and so does one that is ignored. */
async function lintDocuments() {
  const cli = nodeModule('@redocly/cli/bin/cli.js')
  const verdicts = []
  for (const document of documents) {
    const { code, output } = await runCommand(
      [process.execPath, cli, 'lint', '--extends=recommended', '--format=json', document],
      { cwd: checkout, env: quietly },
    )
    const clean = /"errors": 0,\s+"warnings": 0,\s+"ignored": 0\s/.test(output)
    verdicts.push({ clean: code === 0 && clean, output: `${document}\n${output}` })
  }
  return {
    code: verdicts.every(({ clean }) => clean) ? 0 : 1,
    output: verdicts.map(({ output }) => output).join('\n'),
  }
}

/**
 * One program for each set of compiler options, so that a file is read and checked once, however many folders import it.
 * The folders keep configurations of their own, for editors and their own `typecheck`; scripts/test/typed-files.test.ts
 * holds them against these.
 */
export const typedParts = [
  { name: 'what runs on Node', project: 'tsconfig.server.json' },
  { name: 'the console', project: 'apps/admin/tsconfig.json' },
  { name: 'the journeys and the sandbox', project: 'tsconfig.browser.json' },
  { name: 'the mini-program client', project: 'packages/miniprogram-client/tsconfig.json' },
  { name: 'scripts/', project: 'scripts/tsconfig.json' },
  { name: 'packages/packing/', project: 'packages/packing/tsconfig.json' },
]

/**
 * By one checker: each further one checks again what the files have in common, twice the processor time with the usual four.
 * @param {string[]} args
 */
const compile = (...args) => tool('typescript-native/bin/tsc', '--noEmit', '--checkers', '1', ...args)

/** The native compiler: the same verdicts as the one with an API, in a quarter of the time. @type {StaticCheck[]} */
const typeChecks = [
  ...typedParts.map(({ name, project }) => ({
    name: `types of ${name} (TypeScript)`,
    run: compile('-p', project),
  })),
  {
    name: 'types of the sample mini-program (TypeScript)',
    // Here the client is found as its sources, which are stricter than what they are packed into.
    run: compile(
      ...['-p', 'examples/miniprogram', '--allowImportingTsExtensions'],
      ...['--lib', 'ES2023', '--types', 'miniprogram-api-typings,node'],
    ),
  },
]

/** What can be said about the code without running it. @type {StaticCheck[]} */
const staticChecks = [
  {
    name: 'format and lint (biome)',
    run: tool('@biomejs/biome/bin/biome', 'ci', '--colors=off'),
  },
  ...typeChecks,
  {
    name: 'unused code and dependencies (knip)',
    run: tool('knip/bin/knip.js', '--no-progress'),
    configs: ['knip.json', 'knip.jsonc', 'knip.ts', 'knip.config.ts'],
  },
  {
    name: 'who may import whom (dependency-cruiser)',
    run: () => cruise(),
    configs: ['.dependency-cruiser.mjs', '.dependency-cruiser.cjs', '.dependency-cruiser.js'],
  },
  { name: 'the document of the interface (redocly)', run: lintDocuments },
  { name: 'workspace boundaries (turbo)', run: () => runTurbo(['boundaries']) },
]

/** @typedef {import('./run-tests.mjs').Counts} Counts */

/** Every static check: the first stage of `npm test`. */
export const runStaticChecks = () => runChecks(staticChecks)

/**
 * Runs each check, whatever the others said, and shows the output of those that failed. Two at a time: most use one
 * core.
 * @param {readonly StaticCheck[]} checks
 * @returns {Promise<Counts>}
 */
async function runChecks(checks) {
  /** @type {Counts & { failures: string[] }} */
  const counts = { passed: 0, failed: 0, failures: [] }
  const waiting = checks.filter(
    ({ configs }) => configs?.some((file) => existsSync(inCheckout(file))) ?? true,
  )
  const runWaiting = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const passed = await runCheck(check)
      counts[passed ? 'passed' : 'failed'] += 1
      if (!passed) counts.failures.push(check.name)
    }
  }
  // Made before anybody reads it; what goes wrong here goes wrong again, and is told, with the types.
  await runTurbo(['run', 'generate'])
  await Promise.all([runWaiting(), runWaiting()])
  return counts
}

/** @param {StaticCheck} check */
async function runCheck(check) {
  let output = ''
  try {
    await step(check.name, async () => {
      const result = await check.run()
      output = result.output
      if (result.code !== 0) throw new Error('it found something')
    })
    return true
  } catch (error) {
    if (error instanceof Interrupted) throw error
    say(output.trim())
    return false
  }
}

/** @param {Counts} counts */
function report({ passed, failed }) {
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

/** `npm run check` */
export const check = async () => report(await runStaticChecks())

/** `npm run typecheck`: every workspace and what lies outside of them. */
export const typecheck = async () => report(await runChecks(typeChecks))
