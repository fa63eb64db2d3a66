import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Judges } from './judges.ts'
import { hashOfTests } from './judges.ts'

/** What became of one mutant, as it is kept for the next run. */
export type Judgement = {
  identity: string
  verdict: 'killed' | 'living'
  /** The file of the test that failed, or `time` where the tests did not come to an end. */
  by: string | null
  said: string
  seconds: number
  /** Of the test that failed, or of all that did not, as they read then. */
  tests: string
}

export type TextOf = (file: string) => string

/** What the judgement rests on: the test that failed, or else all of them. */
export const testsOf = (
  { verdict, by }: Pick<Judgement, 'verdict' | 'by'>,
  judges: Judges,
  textOf: TextOf,
): string =>
  verdict === 'killed' && by !== null && judges.tests.includes(by)
    ? hashOfTests([by], textOf)
    : hashOfTests(judges.tests, textOf)

export type Judged = {
  /** What an earlier run found, where the tests it rests on read as they did. */
  find: (identity: string, judges: Judges) => Judgement | null
  keep: (judgement: Judgement) => void
}

/** Judgements in a file of one JSON line each, which only grows: whatever ends a run, the next goes on there. */
export function openJudged(path: string, textOf: TextOf): Judged {
  mkdirSync(dirname(path), { recursive: true })
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  const known = new Map<string, Judgement>()
  for (const line of lines) {
    // The last line may be half written.
    if (!line.endsWith('}')) continue
    const judgement: Judgement = JSON.parse(line)
    known.set(judgement.identity, judgement)
  }
  return {
    find: (identity, judges) => {
      const found = known.get(identity)
      return found && found.tests === testsOf(found, judges, textOf) ? found : null
    },
    keep: (judgement) => {
      known.set(judgement.identity, judgement)
      appendFileSync(path, `\n${JSON.stringify(judgement)}`)
    },
  }
}
