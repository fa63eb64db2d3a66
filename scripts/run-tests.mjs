import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { checkout, dataFolder, inCheckout, nodeModule } from './checkout.mjs'
import { runCommand } from './run-command.mjs'
import { say } from './show-progress.mjs'

/**
 * `failures` names each failed test with the first line of what it said; `missing` says why nothing could be looked at.
 * @typedef {{ passed: number, failed: number, failures?: string[], missing?: string }} Counts
 */

/**
 * The counts of a run of Vitest. A run that ended badly without a failed test (a file that does not load, a
 * set-up that failed, no test at all) counts as one failure.
 * @param {string} file what vitest-reporter.mjs wrote
 * @param {number} code
 * @returns {Counts}
 */
function countVitest(file, code) {
  const { passed = 0, failed = 0, failures = [] } = readReport(file) ?? {}
  return withHiddenFailure({ passed, failed, failures: failures.map(failureLine) }, code)
}

/** @param {{ name: string, said: string }} failure */
const failureLine = ({ name, said }) =>
  `${name.replace(`${checkout}/`, '')}: ${stripVTControlCharacters(said)}`

/** @param {string | undefined} message */
const firstLine = (message = '') => stripVTControlCharacters(message).split('\n')[0] ?? ''

/**
 * The same for Playwright, which calls a test that passed at its second try flaky.
 * @param {string} file
 * @param {number} code
 * @returns {Counts}
 */
function countPlaywright(file, code) {
  const report = readReport(file)
  const stats = report?.stats
  const passed = Number(stats?.expected ?? 0) + Number(stats?.flaky ?? 0)
  const failed = Number(stats?.unexpected ?? 0)
  /** @type {any[]} */
  const outside = report?.errors ?? []
  const failures = [
    ...failuresOfPlaywright(report?.suites ?? []),
    ...outside.map(({ message }) => `outside of any test: ${firstLine(message)}`),
  ]
  return withHiddenFailure({ passed, failed, failures }, code)
}

/** @param {any[]} suites @returns {string[]} */
function failuresOfPlaywright(suites) {
  return suites.flatMap((suite) => [
    ...failuresOfPlaywright(suite.suites ?? []),
    ...(suite.specs ?? [])
      .filter((/** @type {any} */ { ok }) => !ok)
      .map(
        (/** @type {any} */ { file, title, tests }) =>
          `e2e/${file} › ${title}: ${firstLine(tests[0]?.results?.at(-1)?.error?.message)}`,
      ),
  ])
}

/** @param {Counts} counts @param {number} code @returns {Counts} */
function withHiddenFailure({ passed, failed, failures = [] }, code) {
  if (failed > 0 || (code === 0 && passed > 0)) return { passed, failed, failures }
  const found = failures.length > 0 ? failures : [`no test failed, but the run ended with ${code}: see above`]
  return { passed, failed: 1, failures: found }
}

/** @param {string} file */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/**
 * Which of the tests, how they are shown, and variables beside those of the test environment.
 * @typedef {{ paths?: readonly string[], title?: string | undefined, output?: 'show' | 'keep', variables?: Record<string, string> }} Part
 */

/** Where each run leaves its counts. */
export const reports = join(dataFolder, 'test')

/** A machine may stand still for a while, under all processes at once: only what never comes has failed. */
const patience = ['--testTimeout=300000', '--hookTimeout=300000', '--expect.poll.timeout=120000']

/** Both runners take patterns: names are meant as they are written. @param {string} text */
export const asPattern = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** No test replaces a module, so that the files of a folder can share what a process has loaded: loading it costs most of a file. */
const sharing = '--no-isolate'

/** The tests of one folder, or a part of them, by Vitest. @param {string} folder @param {Part} [part] */
export function runVitestIn(folder, { paths = [], title, output = 'show', variables = {} } = {}) {
  const titled = title === undefined ? [] : [`--testNamePattern=${asPattern(title)}`]
  const args = [...paths, ...titled]
  return runVitest({ name: folder, cwd: inCheckout(folder), args, output, variables })
}

/**
 * The tests of several folders in one run: starting Vitest costs more than most of them. A folder of which no file ran
 * counts as a failure, as it does where it runs alone.
 * @param {readonly string[]} folders
 * @returns {Promise<Counts>}
 */
export async function runVitestAcross(folders) {
  const name = 'all else'
  const filters = folders.map((folder) => `${folder}/test/`)
  const args = ['--config', inCheckout('scripts/vitest-across.config.mjs'), ...filters]
  const counts = await runVitest({ name, cwd: checkout, args, output: 'keep', variables: {} })
  /** @type {string[]} */
  const ran = readReport(reportOf(name))?.files ?? []
  const unseen = folders.filter((folder) => !ran.some((file) => file.startsWith(inCheckout(folder, 'test/'))))
  const lost = unseen.map((folder) => `no test of ${folder} ran`)
  return {
    ...counts,
    failed: counts.failed + lost.length,
    failures: [...(counts.failures ?? []), ...lost],
  }
}

/** @param {string} name of a run of Vitest */
const reportOf = (name) => join(reports, `${name.replaceAll(/\W/g, '-')}.json`)

/**
 * @param {{ name: string, cwd: string, args: readonly string[] } & Required<Pick<Part, 'output' | 'variables'>>} run
 * @returns {Promise<Counts>}
 */
async function runVitest({ name, cwd, args, output, variables }) {
  const file = reportOf(name)
  const reporter = inCheckout('scripts/vitest-reporter.mjs')
  const reporters = ['--reporter=default', `--reporter=${reporter}`, `--outputFile=${file}`]
  const vitest = nodeModule('vitest/vitest.mjs')
  const ended = await runCommand(
    [process.execPath, vitest, 'run', sharing, ...args, ...reporters, ...patience],
    { cwd, env: { ...testEnvironment(), ...variables }, output },
  )
  if (output === 'keep') say(`\n${name}\n${ended.output}`)
  return countVitest(file, ended.code)
}

/** The journeys, or some of them, by Playwright. @param {Part} [part] @returns {Promise<Counts>} */
export async function runPlaywright({ paths = [], title } = {}) {
  const file = join(reports, 'playwright.json')
  const titled = title === undefined ? [] : [`--grep=${asPattern(title)}`]
  const playwright = nodeModule('@playwright/test/cli.js')
  const { code } = await runCommand(
    [process.execPath, playwright, 'test', ...paths.map(asPattern), ...titled, '--reporter=list,json'],
    {
      cwd: inCheckout('e2e'),
      env: { ...testEnvironment(), MERIDIAN_RELEASE: 'dist', PLAYWRIGHT_JSON_OUTPUT_FILE: file },
      output: 'show',
    },
  )
  return countPlaywright(file, code)
}

/** What somebody's shell configures for running Meridian must not change what the tests see. */
export function testEnvironment() {
  const ours =
    /^(WECHAT_|METRICS_|JWT_SECRET$|AUTH_SECRET$|DATA_KEY$|DATABASE_URL$|HOST$|PORT$|ADMIN_PORT$|LISTEN_|SANDBOX_|API_URL$|CONSOLE_URL$|RATE_LIMITS$|TRUST_PROXY$|REDIS_URL$|LOG_LEVEL$|MERIDIAN_ROLE$|DRAIN_SECONDS$|ALERT_|NODE_ENV$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
}
