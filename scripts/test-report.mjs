import { existsSync, readFileSync } from 'node:fs'

/** @typedef {{ passed: number, failed: number }} Counts */

/**
 * The counts of a run of Vitest. A run that ended badly without a failed test (a file that does not load, a
 * set-up that failed, no test at all) counts as one failure.
 * @param {string} file its JSON report
 * @param {number} code
 * @returns {Counts}
 */
export function countVitest(file, code) {
  const report = readReport(file)
  const passed = Number(report?.numPassedTests ?? 0)
  const failed = Number(report?.numFailedTests ?? 0)
  return withHiddenFailure({ passed, failed }, code)
}

/**
 * The same for Playwright, which calls a test that passed at its second try flaky.
 * @param {string} file
 * @param {number} code
 * @returns {Counts}
 */
export function countPlaywright(file, code) {
  const stats = readReport(file)?.stats
  const passed = Number(stats?.expected ?? 0) + Number(stats?.flaky ?? 0)
  return withHiddenFailure({ passed, failed: Number(stats?.unexpected ?? 0) }, code)
}

/** @param {Counts} counts @param {number} code @returns {Counts} */
function withHiddenFailure({ passed, failed }, code) {
  const hidden = failed === 0 && (code !== 0 || passed === 0)
  return { passed, failed: hidden ? 1 : failed }
}

/** @param {string} file */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
