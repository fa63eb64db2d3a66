import { mkdirSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runTurbo } from './build-programs.mjs'
import { buildRelease } from './build-release.mjs'
import { runStaticChecks } from './check.mjs'
import { bySetUp, listTests, selectTests, selectTitled, testedFolders } from './find-tests.mjs'
import { Refusal } from './refusal.mjs'
import { reports, runPlaywright, runVitestAcross, runVitestIn, testEnvironment } from './run-tests.mjs'
import { drillRestore, testFaults, testMutants } from './run-tool.mjs'
import { headline, say } from './show-progress.mjs'
import { watchStalls } from './stall-watch.mjs'
import { databaseStages } from './test-databases.mjs'
import { testDeploy } from './test-deploy.mjs'
import { testImage } from './test-image.mjs'
import { testOnNewerNode } from './test-newer-node.mjs'
import { checkPageWeights } from './weigh-pages.mjs'

/** @typedef {import('./run-tests.mjs').Counts} Counts */
/**
 * `missing` says what kept a stage from looking at anything: it has not passed, and nothing was found to be wrong.
 * @typedef {Counts & { missing?: string }} Seen
 * @typedef {{ name: string, run: () => Promise<Seen> }} Stage
 */

/**
 * Lists of stages that run beside each other, those of one list in turn: the tests of the API mostly wait, for programs and
 * for timers, so that what only needs a core costs no time of its own. The browser has both cores to itself: beside the
 * tests of the API each takes a fifth more processor time.
 * @typedef {readonly (readonly Stage[])[]} Step
 * @type {readonly Step[]}
 */
const steps = [
  [
    [{ name: 'Unit and integration of apps/api (real PostgreSQL)', run: () => runVitestIn(longest) }],
    [
      { name: 'Lint, types, boundaries', run: runStaticChecks },
      { name: 'Production build', run: build },
      { name: 'Unit and integration of all else (real PostgreSQL)', run: runOtherVitest },
    ],
  ],
  [[{ name: 'End to end (real browser)', run: () => runPlaywright() }]],
]

/** What only the full figures have. @type {Stage[]} */
const deepStages = [
  { name: 'Everything on the Node that ships', run: runOnNewerNode },
  { name: 'Deploy files by their own programs', run: testDeploy },
  ...databaseStages,
  { name: 'Image, built and run', run: testImage },
  { name: 'Restore drill', run: runRestoreDrill },
  { name: 'Faults over HTTP', run: runFaults },
  { name: 'Mutants of the money code', run: runMutants },
]

const options = /** @type {const} */ ({
  deep: { type: 'boolean', default: false },
  title: { type: 'string', short: 't' },
})

/**
 * @param {string[]} args
 * @returns {{ words: string[], deep: boolean, title: string | undefined }}
 */
export function readTestArguments(args) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    return { words: positionals, deep: values.deep, title: values.title }
  } catch {
    throw new Refusal('npm test takes files, folders or names of tests, -t <title of a test> and --deep.')
  }
}

/**
 * `npm test`: each stage runs whatever the earlier ones said; the last line is the sum.
 * @param {string[]} args what to run instead of everything; `--deep` runs the full figures
 */
export async function test(args) {
  const { words, deep, title } = readTestArguments(args)
  if (deep) process.env.MERIDIAN_DEEP = '1'
  const everything = deep ? [...steps, ...inTurn(deepStages)] : steps
  const chosen = words.length > 0 || title !== undefined
  const wanted = chosen ? inTurn(await chooseStages(words, title)) : everything
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  if (!chosen) await runTurbo(['run', 'generate'])
  return summarise(await runSteps(wanted))
}

/** @param {readonly Stage[]} stages @returns {Step[]} */
const inTurn = (stages) => stages.map((stage) => [[stage]])

/** @param {readonly Step[]} wanted */
async function runSteps(wanted) {
  const total = wanted.flat(2).length
  const lostSeconds = watchStalls()
  let begun = 0
  /** @param {Stage} stage */
  const runStage = async ({ name, run }) => {
    begun += 1
    headline(`${begun}/${total} ${name}`)
    const [startedAt, lostBefore] = [performance.now(), lostSeconds()]
    const counts = await run()
    const seconds = (performance.now() - startedAt) / 1000
    return { name, ...counts, seconds, lost: lostSeconds() - lostBefore }
  }
  const results = []
  for (const step of wanted) {
    const ended = await Promise.all(
      step.map(async (stages) => {
        const own = []
        for (const stage of stages) own.push(await runStage(stage))
        return own
      }),
    )
    results.push(...ended.flat())
  }
  return results
}

/**
 * The chosen tests, a stage for each folder and runner, after what they need has been made.
 * @param {string[]} words
 * @param {string | undefined} title
 * @returns {Promise<Stage[]>}
 */
async function chooseStages(words, title) {
  const tests = listTests()
  const runs = words.length > 0 ? selectTests(words, tests) : selectTitled(title ?? '', tests)
  await runTurbo(['run', 'generate'])
  if (runs.some(({ runner }) => runner === 'playwright')) await buildRelease()
  return runs.map(({ folder, runner, paths, title: found }) => {
    const part = { paths, title: title ?? found }
    const run = () => (runner === 'vitest' ? runVitestIn(folder, part) : runPlaywright(part))
    return { name: `${folder} (${runner})`, run }
  })
}

/** @param {readonly (Seen & { name: string, seconds: number, lost: number })[]} results */
function summarise(results) {
  headline('Summary')
  const sum = { passed: 0, failed: 0 }
  for (const failure of results.flatMap(({ failures }) => failures ?? [])) say(`  ✖ ${failure}`)
  for (const { name, passed, failed, missing, seconds, lost } of results) {
    const time = `${seconds.toFixed(0)} s${lost > 0 ? `, for ${lost} s of them the machine stood still` : ''}`
    const sign = missing !== undefined ? '–' : failed === 0 ? '✔' : '✖'
    const unseen = missing === undefined ? '' : `, NOT LOOKED AT: ${missing}`
    say(`${sign} ${name}: ${passed} passed, ${failed} failed (${time})${unseen}`)
    sum.passed += passed
    sum.failed += failed
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed`)
  return sum.failed === 0 && sum.passed > 0 ? 0 : 1
}

/** The workspace whose tests take as long as those of all the others, which run beside it. */
const longest = 'apps/api'

/**
 * Each workspace that sets something up for its tests by a process of its own: what one set-up loads (the schema engine is
 * one per process) must not be shared with another. The rest together.
 */
async function runOtherVitest() {
  const [alone, together] = bySetUp(testedFolders().filter((folder) => folder !== longest))
  const counts = [await runVitestAcross(together)]
  // Shown when they have ended, so that the lines of two are never mixed.
  for (const folder of alone) counts.push(await runVitestIn(folder, { output: 'keep' }))
  return counts.reduce(sumOf)
}

/** @param {Counts} one @param {Counts} other @returns {Counts} */
const sumOf = (one, other) => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  failures: [...(one.failures ?? []), ...(other.failures ?? [])],
})

/** @returns {Promise<Counts>} */
async function build() {
  try {
    await buildRelease()
    const weighed = checkPageWeights()
    return { passed: weighed.passed + 1, failed: weighed.failed }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    say(error.message)
    return { passed: 0, failed: 1 }
  }
}

/** The usual figures: the deep ones have been seen. @returns {Promise<Counts>} */
function runOnNewerNode() {
  const { MERIDIAN_DEEP: _, ...usual } = testEnvironment()
  return testOnNewerNode(usual)
}

/** @returns {Promise<Seen>} */
async function runRestoreDrill() {
  const code = await drillRestore()
  if (code === 2) return { passed: 0, failed: 0, missing: 'PostgreSQL 15 or pgBackRest' }
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, failures: ['npm run drill:restore'] }
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
