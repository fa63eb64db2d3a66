import { join } from 'node:path'
import { dataFolder, inCheckout, nodeModule } from './checkout.mjs'
import { runCommand } from './run-command.mjs'
import { say } from './show-progress.mjs'
import { countPlaywright, countVitest } from './test-report.mjs'

/** @typedef {import('./test-report.mjs').Counts} Counts */
/** @typedef {{ paths?: readonly string[], title?: string | undefined, output?: 'show' | 'keep' }} Part which of the tests, and how they are shown */

/** Where each run leaves its counts. */
export const reports = join(dataFolder, 'test')

/** A machine may stand still for a while, under all processes at once: only what never comes has failed. */
const patience = ['--testTimeout=300000', '--hookTimeout=300000', '--expect.poll.timeout=120000']

/** Both runners take patterns: names are meant as they are written. @param {string} text */
export const asPattern = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The tests of one folder, or a part of them, by Vitest. @param {string} folder @param {Part} [part] */
export async function runVitestIn(folder, { paths = [], title, output = 'show' } = {}) {
  const file = join(reports, `${folder.replace('/', '-')}.json`)
  const reporter = inCheckout('scripts/vitest-reporter.mjs')
  const reporters = ['--reporter=default', `--reporter=${reporter}`, `--outputFile=${file}`]
  const titled = title === undefined ? [] : [`--testNamePattern=${asPattern(title)}`]
  const vitest = nodeModule('vitest/vitest.mjs')
  const ended = await runCommand(
    [process.execPath, vitest, 'run', ...paths, ...titled, ...reporters, ...patience],
    { cwd: inCheckout(folder), env: testEnvironment(), output },
  )
  if (output === 'keep') say(`\n${folder}\n${ended.output}`)
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
      env: { ...testEnvironment(), PLAYWRIGHT_JSON_OUTPUT_FILE: file },
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
