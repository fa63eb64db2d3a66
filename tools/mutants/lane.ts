import { join } from 'node:path'
import { inspect } from 'node:util'
import type { TestModule, Vitest } from 'vitest/node'
import { createVitest } from 'vitest/node'
import type { Answer, Question } from './lane-words.ts'
import { checkout } from './source.ts'

/** What is served in place of what is on the disk; at most one file. */
let served: { path: string; text: string } | null = null

/** Mutants that never come to an end must not cost more than this, tests that wait for something included. */
const patience = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000 } } }

/** The usual figures of the tests and few lives of the model, also where everything else runs the full ones. */
const testSizes = { MERIDIAN_MODEL_SEQUENCES: '40', MERIDIAN_DEEP: '' }

async function openVitest(workspace: string): Promise<Vitest> {
  const root = join(checkout, workspace)
  const vitest = await createVitest(
    'test',
    {
      root,
      config: join(root, 'vitest.config.ts'),
      watch: false,
      bail: 1,
      isolate: false,
      maxWorkers: 1,
      fileParallelism: false,
      reporters: [{}],
      silent: true,
      cache: false,
      env: testSizes,
      ...patience,
    },
    {
      plugins: [{ name: 'mutant', enforce: 'pre', load: (id) => (id === served?.path ? served.text : null) }],
    },
  )
  await vitest.standalone()
  return vitest
}

const opened = new Map<string, Promise<Vitest>>()

function vitestOf(workspace: string): Promise<Vitest> {
  const vitest = opened.get(workspace) ?? openVitest(workspace)
  opened.set(workspace, vitest)
  return vitest
}

/** Every Vitest of the lane forgets both files: the one that is asked next need not be the one that was asked last. */
async function serve(change: Question['change']): Promise<void> {
  const before = served?.path
  served = change && { path: join(checkout, change.file), text: change.text }
  for (const vitest of await Promise.all(opened.values()))
    for (const path of [before, served?.path]) if (path) vitest.invalidateFile(path)
}

/** What an error says. One that comes from the process of the tests has no prototype: String() throws on it. */
const wordsOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : inspect(error)

const firstLine = (message: string | undefined) => (message ?? '').split('\n')[0] ?? ''

function firstFailure(modules: readonly TestModule[]): Answer['failed'] {
  for (const module of modules) {
    const file = module.moduleId.replace(`${checkout}/`, '')
    const [broken] = module.errors()
    if (broken) return { file, test: '', said: firstLine(broken.message) }
    for (const test of module.children.allTests('failed'))
      return { file, test: test.fullName, said: firstLine(test.result().errors?.[0]?.message) }
    for (const suite of module.children.allSuites()) {
      const [error] = suite.errors()
      if (error) return { file, test: suite.fullName, said: firstLine(error.message) }
    }
  }
  return null
}

/** Vitest runs files by size and by how long they took; judges are asked in their order. */
class InOrder {
  readonly #order: readonly string[]
  constructor(order: readonly string[]) {
    this.#order = order
  }
  sort<One extends { moduleId: string }>(files: One[]): One[] {
    return files.toSorted(
      (one, other) => this.#order.indexOf(one.moduleId) - this.#order.indexOf(other.moduleId),
    )
  }
}

async function answer({ workspace, tests, change }: Question): Promise<Answer> {
  const vitest = await vitestOf(workspace)
  await serve(change)
  const paths = tests.map((file) => join(checkout, file))
  const order = new InOrder(paths)
  vitest.config.sequence.sequencer = class {
    sort = <One extends { moduleId: string }>(files: One[]) => order.sort(files)
    shard = <One>(files: One[]) => files
  }
  // What an earlier run found of these files must not be taken for what this one finds.
  vitest.state.filesMap.clear()
  vitest.state.idMap.clear()
  const project = vitest.getRootProject()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    paths.map((path) => project.createSpecification(path)),
  )
  const failed = firstFailure(testModules)
  if (failed) return { failed }
  const [unhandled] = unhandledErrors
  if (unhandled)
    return { failed: { file: '', test: 'outside of any test', said: firstLine(wordsOf(unhandled)) } }
  const passed = testModules.filter((module) => module.state() === 'passed').length
  return passed === paths.length
    ? { failed: null }
    : { failed: null, problem: `${passed} of ${paths.length} files were run` }
}

process.on('message', (question: Question) => {
  answer(question)
    .catch((error: unknown): Answer => ({ failed: null, problem: wordsOf(error) }))
    .then((answered) => process.connected && process.send?.(answered))
})
/** Nothing this lane started may stay, and that is its whole process group. */
const end = () => process.kill(-process.pid, 'SIGKILL')

// Whoever asks is gone, or has no more questions: what the tests set up is taken down first, where that is possible.
process.on('disconnect', () => {
  setTimeout(end, 20_000)
  Promise.all([...opened.values()].map(async (vitest) => (await vitest).close())).then(end, end)
})
