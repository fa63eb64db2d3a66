import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { runTurbo } from './build-programs.mjs'
import { checkout, inCheckout, nodeModule } from './checkout.mjs'
import { listTests, selectTests, testedFolders } from './find-tests.mjs'
import { leaveSignalsToTheProgram } from './interruption.mjs'
import { Refusal } from './refusal.mjs'
import { asPattern, testEnvironment } from './run-tests.mjs'
import { say } from './show-progress.mjs'
import { readTestArguments } from './test.mjs'

/**
 * `npm run test:watch`: Vitest over the workspace of the tests named, or of the files changed since the last commit,
 * again at every change. In this very process, so that its keys work.
 * @param {string[]} args
 * @returns {Promise<undefined>}
 */
export async function testWatch(args) {
  const { words, title } = readTestArguments(args)
  const { folder, filters } = words.length > 0 ? chooseNamed(words) : chooseChanged()
  await runTurbo(['run', 'generate'])
  leaveSignalsToTheProgram()
  say(`Watching ${folder}; q ends it.`)
  const titled = title === undefined ? [] : [`--testNamePattern=${asPattern(title)}`]
  useOnly(testEnvironment())
  process.argv = [process.execPath, nodeModule('vitest/vitest.mjs'), 'watch', ...filters, ...titled]
  process.chdir(inCheckout(folder))
  await import(pathToFileURL(nodeModule('vitest/vitest.mjs')).href)
}

/** @param {readonly string[]} words */
function chooseNamed(words) {
  const runs = selectTests(words, listTests())
  const [run, ...others] = runs.filter(({ runner }) => runner === 'vitest')
  if (run === undefined)
    throw new Refusal('Journeys in the browser are not watched: run them with npm test -- <file>.')
  const foreign = others.filter(({ folder }) => folder !== run.folder)
  if (foreign.length > 0) {
    const folders = [run, ...foreign].map(({ folder }) => folder).join(', ')
    throw new Refusal(`That names tests of ${folders}: one workspace can be watched, give a path.`)
  }
  return { folder: run.folder, filters: [run, ...others].flatMap(({ paths }) => paths) }
}

/** The workspace in which most files are changed; in it, the tests that depend on what is changed. */
function chooseChanged() {
  const changed = changedFiles()
  const [most, ...others] = testedFolders()
    .map((folder) => ({ folder, count: changed.filter((file) => file.startsWith(`${folder}/`)).length }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
  if (most === undefined)
    throw new Refusal('No file of a tested workspace is changed: say npm run test:watch -- <file or name>.')
  if (others.length > 0) say(`Changed as well: ${others.map(({ folder }) => folder).join(', ')}.`)
  return { folder: most.folder, filters: ['--changed'] }
}

/** Changed and new files since the last commit. */
function changedFiles() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: checkout, encoding: 'utf8' })
  const listed = git('diff', '--name-only', 'HEAD') + git('ls-files', '--others', '--exclude-standard')
  return listed.split('\n').filter(Boolean)
}

/** @param {Record<string, string | undefined>} environment */
function useOnly(environment) {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
}
