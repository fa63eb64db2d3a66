import { writeFileSync } from 'node:fs'

/**
 * @typedef {import('vitest/node').TestModule} TestModule
 * @typedef {{ message?: string, code?: unknown, cause?: unknown }} Told
 */

/** Writes into the file of `--outputFile` how many tests passed and failed, what each failure said, and the files that ran. */
export default class VitestReporter {
  #file = ''

  /** @param {import('vitest/node').Vitest} vitest */
  onInit({ config }) {
    if (typeof config.outputFile !== 'string') throw new Error('Say --outputFile=<where the report goes>')
    this.#file = config.outputFile
  }

  /** @param {readonly TestModule[]} modules @param {readonly Told[]} unhandled */
  onTestRunEnd(modules, unhandled) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const failed = tests.filter((test) => test.result().state === 'failed')
    const passed = tests.filter((test) => test.result().state === 'passed')
    const failures = [
      ...failed.map((test) => ({
        name: `${test.module.moduleId} › ${test.fullName}`,
        said: said(test.result().errors?.[0]),
      })),
      ...modules.flatMap((module) =>
        module.errors().map((error) => ({ name: module.moduleId, said: said(error) })),
      ),
      ...unhandled.map((error) => ({ name: 'outside of any test', said: said(error) })),
    ]
    const files = modules.map(({ moduleId }) => moduleId)
    writeFileSync(
      this.#file,
      JSON.stringify({ passed: passed.length, failed: failed.length, failures, files }),
    )
  }
}

/** The first line of an error and of each error that caused it. @param {Told | undefined} error @returns {string} */
function said(error) {
  if (error === undefined) return ''
  const line = String(error.message || error.code || error).split('\n')[0] ?? ''
  const cause = /** @type {Told | undefined} */ (error.cause ?? undefined)
  return cause === undefined ? line : `${line} ← ${said(cause)}`
}
