/** What a lane is asked: whether these tests notice that one file reads otherwise. Without a change, whether they pass. */
export type Question = {
  /** The folder of the workspace whose tests they are. */
  workspace: string
  /** Files of tests in the order they are run, as paths in the checkout. */
  tests: readonly string[]
  /** The file that is served otherwise, and what it says then. */
  change: { file: string; text: string } | null
}

/** What it answers: the first test that failed and what it said, or null where all passed. */
export type Answer = { failed: { test: string; file: string; said: string } | null; problem?: string }
