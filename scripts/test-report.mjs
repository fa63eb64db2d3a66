import { existsSync, readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { checkout } from './checkout.mjs'

/**
 * `failures` names each failed test with the first line of what it said.
 * @typedef {{ passed: number, failed: number, failures?: string[] }} Counts
 */

/**
 * The counts of a run of Vitest. A run that ended badly without a failed test (a file that does not load, a
 * set-up that failed, no test at all) counts as one failure.
 * @param {string} file what vitest-reporter.mjs wrote
 * @param {number} code
 * @returns {Counts}
 */
export function countVitest(file, code) {
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
export function countPlaywright(file, code) {
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
