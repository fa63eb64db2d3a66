import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildPrograms } from './build-programs.mjs'
import { runStaticChecks } from './check.mjs'
import { dataFolder, inCheckout, nodeModule } from './checkout.mjs'
import { Refusal } from './refusal.mjs'
import { runCommand } from './run-command.mjs'
import { headline, say } from './show-progress.mjs'
import { testFaults } from './test-faults.mjs'
import { testMutants } from './test-mutants.mjs'
import { countPlaywright, countVitest } from './test-report.mjs'
import { watchStandstill } from './watch-standstill.mjs'
import { checkPageWeights } from './weigh-pages.mjs'

/** @typedef {import('./test-report.mjs').Counts} Counts */
/** @typedef {{ name: string, run: () => Promise<Counts> }} Stage */

const reports = join(dataFolder, 'test')

/** @type {Stage[]} */
const stages = [
  { name: 'Lint, types, boundaries', run: runStaticChecks },
  { name: 'Unit and integration (real PostgreSQL)', run: runVitest },
  { name: 'Production build', run: build },
  { name: 'End to end (real browser)', run: runPlaywright },
]

/** What only the full figures have. @type {Stage[]} */
const deepStages = [
  { name: 'Faults over HTTP', run: runFaults },
  { name: 'Mutants of the money code', run: runMutants },
]

/**
 * `npm test`: each stage runs whatever the earlier ones said; the last line is the sum.
 * @param {string[]} args `--deep` runs the full figures
 */
export async function test(args) {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const deep = args.includes('--deep')
  if (deep) process.env.MERIDIAN_DEEP = '1'
  const wanted = deep ? [...stages, ...deepStages] : stages
  const results = []
  const lostSeconds = watchStandstill()
  for (const [index, { name, run }] of wanted.entries()) {
    headline(`${index + 1}/${wanted.length} ${name}`)
    const startedAt = performance.now()
    const counts = await run()
    const seconds = (performance.now() - startedAt) / 1000
    results.push({ name, ...counts, seconds, lost: lostSeconds() })
  }
  return summarise(results)
}

/** @param {readonly (Counts & { name: string, seconds: number, lost: number })[]} results */
function summarise(results) {
  headline('Summary')
  const sum = { passed: 0, failed: 0 }
  for (const failure of results.flatMap(({ failures }) => failures ?? [])) say(`  ✖ ${failure}`)
  for (const { name, passed, failed, seconds, lost } of results) {
    const time = `${seconds.toFixed(0)} s${lost > 0 ? `, for ${lost} s of them the machine stood still` : ''}`
    say(`${failed === 0 ? '✔' : '✖'} ${name}: ${passed} passed, ${failed} failed (${time})`)
    sum.passed += passed
    sum.failed += failed
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed`)
  return sum.failed === 0 && sum.passed > 0 ? 0 : 1
}

/** The workspace whose tests take as long as those of all the others, which run beside it. */
const longest = 'apps/api'

/**
 * Each workspace by a process of its own: what one set-up loads (the schema engine is one per process) must
 * not be shared with another.
 */
async function runVitest() {
  const others = testedWorkspaces().filter((folder) => folder !== longest)
  const [first, rest] = await Promise.all([runVitestIn(longest), runInTurn(others)])
  /** @type {Required<Counts>} */
  const sum = { passed: 0, failed: 0, failures: [] }
  for (const { passed, failed, failures = [] } of [first, ...rest]) {
    sum.passed += passed
    sum.failed += failed
    sum.failures.push(...failures)
  }
  return sum
}

/** One after the other; each is shown when it has ended, so that the lines of two are never mixed. @param {string[]} folders */
async function runInTurn(folders) {
  const counts = []
  for (const folder of folders) counts.push(await runVitestIn(folder, 'keep'))
  return counts
}
function testedWorkspaces() {
  const groups = ['packages', 'apps', 'tools']
  const folders = groups.flatMap((group) => readdirSync(inCheckout(group)).map((name) => `${group}/${name}`))
  return folders.filter((folder) => existsSync(inCheckout(folder, 'test')))
}

/** A machine may stand still for a while, under all processes at once: only what never comes has failed. */
const patience = ['--testTimeout=300000', '--hookTimeout=300000', '--expect.poll.timeout=120000']

/** @param {string} folder @param {'show' | 'keep'} [output] */
async function runVitestIn(folder, output = 'show') {
  const file = join(reports, `${folder.replace('/', '-')}.json`)
  const reporter = inCheckout('scripts/vitest-reporter.mjs')
  const reporters = ['--reporter=default', `--reporter=${reporter}`, `--outputFile=${file}`]
  const vitest = nodeModule('vitest/vitest.mjs')
  const ended = await runCommand([process.execPath, vitest, 'run', ...reporters, ...patience], {
    cwd: inCheckout(folder),
    env: testEnvironment(),
    output,
  })
  if (output === 'keep') say(`\n${folder}\n${ended.output}`)
  return countVitest(file, ended.code)
}

/** @returns {Promise<Counts>} */
async function build() {
  try {
    await buildPrograms()
    const weighed = checkPageWeights()
    return { passed: weighed.passed + 1, failed: weighed.failed }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    say(error.message)
    return { passed: 0, failed: 1 }
  }
}

async function runPlaywright() {
  const file = join(reports, 'playwright.json')
  const { code } = await runCommand(
    [process.execPath, nodeModule('@playwright/test/cli.js'), 'test', '--reporter=list,json'],
    {
      cwd: inCheckout('e2e'),
      env: { ...testEnvironment(), PLAYWRIGHT_JSON_OUTPUT_FILE: file },
      output: 'show',
    },
  )
  return countPlaywright(file, code)
}

/** @returns {Promise<Counts>} */
async function runFaults() {
  const code = await testFaults(testEnvironment())
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, failures: ['npm run test:faults'] }
}

/** @returns {Promise<Counts>} */
async function runMutants() {
  const code = await testMutants(testEnvironment())
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, failures: ['npm run test:mutants'] }
}

/** What somebody's shell configures for running Meridian must not change what the tests see. */
function testEnvironment() {
  const ours =
    /^(WECHAT_|METRICS_|JWT_SECRET$|AUTH_SECRET$|DATA_KEY$|DATABASE_URL$|HOST$|PORT$|ADMIN_PORT$|LISTEN_|SANDBOX_|API_URL$|CONSOLE_URL$|RATE_LIMITS$|TRUST_PROXY$|REDIS_URL$|LOG_LEVEL$|MERIDIAN_ROLE$|DRAIN_SECONDS$|ALERT_|NODE_ENV$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
}
