import type { Judged, Judgement, TextOf } from './judged.ts'
import { testsOf } from './judged.ts'
import type { Judges } from './judges.ts'
import type { Question } from './lane-words.ts'
import type { Lane, Verdict } from './open-lane.ts'
import { applyMutant, type Mutant, type Source } from './source.ts'

/** A mutant with all that its judgement needs. */
export type Case = { mutant: Mutant; source: Source; identity: string; judges: Judges }

export type Found = Case & { judgement: Judgement }

/** Each of these, by as many lanes as there are; a lane takes the next when it has done one. */
async function share<One>(
  lanes: readonly Lane[],
  waiting: readonly One[],
  work: (lane: Lane, one: One) => Promise<void>,
) {
  const next = waiting.values()
  await Promise.all(
    lanes.map(async (lane) => {
      for (const one of next) await work(lane, one)
    }),
  )
}

/** What is wrong with tests that should pass. */
async function complaintOf(lane: Lane, question: Question): Promise<string | null> {
  const verdict = await lane.ask(question, limitMs(question))
  if ('timedOut' in verdict) return 'comes to no end'
  return verdict.problem ?? (verdict.failed && `fails: ${verdict.failed.test}: ${verdict.failed.said}`)
}

/**
 * A judge that fails with nothing changed would kill every mutant: each test that killed one is run so as well, once.
 * @throws Error where it fails
 */
async function proveJudge(
  lane: Lane,
  { judges }: Case,
  { test, proven }: { test: string; proven: Set<string> },
) {
  if (proven.has(test) || !judges.tests.includes(test)) return
  const question = { workspace: judges.workspace, tests: [test], change: null }
  const first = await complaintOf(lane, question)
  // A busy machine may fail a test once.
  const complaint = first && (await complaintOf(lane, question))
  if (complaint) throw new Error(`With nothing changed, ${test} ${complaint}`)
  proven.add(test)
}

/** @throws Error where the tests could not be run, which says nothing about the mutant */
function judgementOf(
  { identity, judges }: Case,
  verdict: Verdict,
  textOf: TextOf,
): Omit<Judgement, 'seconds'> {
  if (!('timedOut' in verdict) && verdict.problem) throw new Error(verdict.problem)
  const failed = 'timedOut' in verdict ? { file: 'time', test: '', said: 'no end in time' } : verdict.failed
  const outcome = failed
    ? { verdict: 'killed' as const, by: failed.file, said: `${failed.test}: ${failed.said}` }
    : { verdict: 'living' as const, by: null, said: '' }
  return { identity, ...outcome, tests: testsOf(outcome, judges, textOf) }
}

const slowest = /\/model\//

/** Tests that have not come to an end by then never will. */
const limitMs = ({ tests }: Pick<Judges, 'tests'>): number =>
  120_000 + tests.reduce((sum, test) => sum + (slowest.test(test) ? 600_000 : 15_000), 0)

/** Which test noticed the last change of a file: it is asked first about the next one, as it often notices that too. */
class Killers {
  readonly #last = new Map<string, string>()

  /** The judges in the order they are asked. */
  order({ mutant, judges: { tests } }: Case): readonly string[] {
    const last = this.#last.get(mutant.file)
    return last !== undefined && tests.includes(last)
      ? [last, ...tests.filter((test) => test !== last)]
      : tests
  }

  note({ mutant }: Case, by: string | null): void {
    if (by) this.#last.set(mutant.file, by)
  }
}

export type Judging = {
  judged: Judged
  textOf: TextOf
  /** No mutant is begun when this says so. */
  isOver: () => boolean
  onFound: (found: Found) => void
}

/** Judges each case by a lane and keeps what it finds at once; answers how many were left when time was over. */
export async function judgeMutants(
  lanes: readonly Lane[],
  cases: readonly Case[],
  { judged, textOf, isOver, onFound }: Judging,
): Promise<number> {
  let left = 0
  const proven = new Set<string>()
  const killers = new Killers()
  await share(lanes, cases, async (lane, one) => {
    if (isOver()) {
      left += 1
      return
    }
    const { workspace } = one.judges
    const tests = killers.order(one)
    const change = { file: one.mutant.file, text: applyMutant(one.source, one.mutant) }
    const began = performance.now()
    const verdict = await lane.ask({ workspace, tests, change }, limitMs(one.judges))
    const took = Math.round((performance.now() - began) / 100) / 10
    const judgement = { ...judgementOf(one, verdict, textOf), seconds: took }
    if (judgement.by) await proveJudge(lane, one, { test: judgement.by, proven })
    killers.note(one, judgement.by)
    judged.keep(judgement)
    onFound({ ...one, judgement })
  })
  return left
}
