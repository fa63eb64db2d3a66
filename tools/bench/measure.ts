import { type Spent, spentBetween, spentBy } from './processor-time.ts'

/** Does one round's work and says how many things it did. */
export type Work = () => Promise<number>

/** What one round of a contender showed. */
export type Round = {
  perSecond: number
  /** Per second of processor time of all watched processes; what others do on the machine does not count. */
  perProcessorSecond: number
  /** How many cores each watched process used. */
  cores: Spent
}

/** One way of doing something, and its rounds so far. */
export type Contender = { work: Work; rounds: Round[] }

export const contender = (work: Work): Contender => ({ work, rounds: [] })

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The least of the values that at least this share of them does not exceed: of twenty, p95 is the nineteenth. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export const medianRate = ({ rounds }: Contender): number => median(rounds.map(({ perSecond }) => perSecond))

type Turns = {
  rounds: number
  /** What belongs together stays in order; the groups take turns at being first. */
  groups: readonly (readonly Contender[])[]
  /** Makes what the contenders of a round need, outside their time. */
  prepare?: () => Promise<void>
  /** The processes whose time counts, by name. */
  watched: Readonly<Record<string, number>>
}

/**
 * Runs all contenders in turn, round by round, so that a slow moment of the machine meets all of them alike. A round
 * before the first only warms up.
 */
export async function takeTurns({ rounds, groups, prepare, watched }: Turns): Promise<void> {
  for (let round = 0; round <= rounds; round += 1) {
    await prepare?.()
    const first = round % groups.length
    for (const one of [...groups.slice(first), ...groups.slice(0, first)].flat()) {
      const seen = await observe(one.work, watched)
      if (round > 0) one.rounds.push(seen)
    }
  }
}

async function observe(work: Work, watched: Turns['watched']): Promise<Round> {
  const [before, started] = [spentBy(watched), performance.now()]
  const done = await work()
  const elapsedMs = performance.now() - started
  const spent = spentBetween(before, spentBy(watched))
  const totalMs = Object.values(spent).reduce((sum, ms) => sum + ms, 0)
  const cores = Object.entries(spent).map(([name, ms]) => [name, ms / elapsedMs])
  return {
    perSecond: (done / elapsedMs) * 1000,
    perProcessorSecond: (done / totalMs) * 1000,
    cores: Object.fromEntries(cores),
  }
}

export type Ratios = { ratio: number; byProcessor: number }

/**
 * The median of one contender's rounds, each divided by what the floors of the same round allow: as many things as
 * could be done when each floor's work had to be done one after the other.
 */
export function ratiosTo(one: Contender, floors: readonly Contender[]): Ratios {
  const ratioBy = (measure: 'perSecond' | 'perProcessorSecond') =>
    median(
      one.rounds.map((round, at) => {
        const seconds = floors.map(({ rounds }) => 1 / (rounds[at]?.[measure] ?? Number.NaN))
        return round[measure] * seconds.reduce((sum, each) => sum + each, 0)
      }),
    )
  return { ratio: ratioBy('perSecond'), byProcessor: ratioBy('perProcessorSecond') }
}
