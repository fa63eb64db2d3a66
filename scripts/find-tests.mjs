import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, relative, sep } from 'node:path'
import { callerPath, checkout, inCheckout } from './checkout.mjs'
import { Refusal } from './refusal.mjs'

/** @typedef {'vitest' | 'playwright'} Runner */
/** @typedef {{ folder: string, path: string, runner: Runner }} TestFile `path` is within the folder, both with `/` */
/** @typedef {{ folder: string, runner: Runner, paths: string[], title?: string | undefined }} TestRun a title runs those tests of the files alone */

/** The folders whose tests Vitest runs. */
export function testedFolders() {
  const groups = ['packages', 'apps', 'tools']
  const workspaces = groups.flatMap((group) =>
    readdirSync(inCheckout(group)).map((name) => `${group}/${name}`),
  )
  return [...workspaces, 'scripts'].filter((folder) => existsSync(inCheckout(folder, 'test')))
}

/**
 * The folders whose configuration of Vitest names something to set up before the tests, and the others.
 * @param {readonly string[]} folders
 * @returns {[setsUp: string[], others: string[]]}
 */
export function bySetUp(folders) {
  /** @param {string} folder */
  const setsUp = (folder) => {
    const config = inCheckout(folder, 'vitest.config.ts')
    return existsSync(config) && readFileSync(config, 'utf8').includes('globalSetup')
  }
  return [folders.filter(setsUp), folders.filter((folder) => !setsUp(folder))]
}

/** @returns {TestFile[]} */
export function listTests() {
  const units = testedFolders().flatMap((folder) => below({ folder, place: 'test', ending: '.test.ts' }))
  const journeys = below({ folder: 'e2e', place: 'journeys', ending: '.e2e.ts' })
  return [
    ...units.map((test) => ({ ...test, runner: /** @type {const} */ ('vitest') })),
    ...journeys.map((test) => ({ ...test, runner: /** @type {const} */ ('playwright') })),
  ]
}

/** @param {{ folder: string, place: string, ending: string }} where */
function below({ folder, place, ending }) {
  return readdirSync(inCheckout(folder, place), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ folder, path: `${place}/${name.split(sep).join('/')}` }))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

/**
 * What `npm test -- <words>` means: each word is a path (a test file, or a folder that holds some), else a part of the
 * names of test files, else a part of the titles of tests.
 * @param {readonly string[]} words
 * @param {readonly TestFile[]} tests
 * @returns {TestRun[]}
 */
export const selectTests = (words, tests) => inRuns(words.map((word) => findOne(word, tests)))

/** The tests whose title contains these words. @param {string} title @param {readonly TestFile[]} tests */
export const selectTitled = (title, tests) => inRuns([{ found: findTitled(title, tests), title }])

/** @typedef {{ found: readonly TestFile[], title?: string }} Found */

/** One run for each folder, runner and title. @param {readonly Found[]} findings @returns {TestRun[]} */
function inRuns(findings) {
  /** @type {Map<string, TestRun>} */
  const runs = new Map()
  for (const { found, title } of findings) {
    for (const { folder, path, runner } of found) {
      const key = `${folder} ${runner} ${title ?? ''}`
      const run = runs.get(key) ?? { folder, runner, paths: [], title }
      if (!run.paths.includes(path)) run.paths.push(path)
      runs.set(key, run)
    }
  }
  return [...runs.values()]
}

/** @param {string} word @param {readonly TestFile[]} tests @returns {Found} */
function findOne(word, tests) {
  const place = callerPath(word)
  const path = relative(checkout, place).split(sep).join('/')
  const inPlace = tests.filter((test) => path === '' || `${test.folder}/${test.path}/`.startsWith(`${path}/`))
  if (inPlace.length > 0) return { found: inPlace }
  if (existsSync(place) && /[./]/.test(word))
    throw new Refusal(
      `${word} is no test and holds none. Tests are <workspace>/test/**/*.test.ts and e2e/journeys/**/*.e2e.ts.`,
    )
  const named = tests.filter((test) => basename(test.path).includes(word))
  return named.length > 0 ? { found: named } : { found: findTitled(word, tests), title: word }
}

/** @param {string} title @param {readonly TestFile[]} tests */
function findTitled(title, tests) {
  const found = tests.filter((test) => hasTitle(inCheckout(test.folder, test.path), title))
  if (found.length > 0) return found
  throw new Refusal(`Nothing found: no path, no file name and no title of a test contains "${title}".`)
}

/** A line that opens a test or a group of tests: `test('…`, `describe('…`, `])('…` after a table of cases. */
const opensTest = /\b(test|it|describe)\b[^'"`]*['"`]|^\s*[\])}]+\(['"`]/

/** @param {string} file @param {string} words */
function hasTitle(file, words) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .some((line) => line.includes(words) && opensTest.test(line))
}
