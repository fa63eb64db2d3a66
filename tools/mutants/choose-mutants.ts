import type { Group } from './source.ts'

/** One of so many is judged in a run of everything, so that it ends in time. */
export const usualShares: Readonly<Record<Group | 'payments', number>> = {
  named: 1,
  sql: 6,
  columns: 8,
  typescript: 8,
  payments: 12,
}

/** How many of one file are judged when files are asked for by name and no share is. */
const fewOfAFile = 60

/** Always the same for the same mutant, and without relation to where it stands. */
const isChosen = (identity: string, { oneIn, sample }: { oneIn: number; sample: number }) =>
  Number.parseInt(identity.slice(0, 8), 16) % oneIn === sample % oneIn

export type Choice = {
  /** Whether files were asked for by name. */
  isNarrow: boolean
  /** The share that was asked for; 0 where none was. */
  oneIn: number
  /** Which of the samples of that size: no mutant is in two of them, and the named ones are in each. */
  sample: number
}

type Identified = { identity: string; group: Group; file: string }

/** One of how many mutants of this group and file is judged; `count` is how many the file has. */
export function shareOf(
  { group, file }: Omit<Identified, 'identity'>,
  count: number,
  choice: Omit<Choice, 'sample'>,
): number {
  if (group === 'named') return 1
  if (choice.oneIn > 0) return choice.oneIn
  if (choice.isNarrow) return Math.ceil(count / fewOfAFile)
  return usualShares[file.startsWith('packages/payments/') ? 'payments' : group]
}

/** No relation to where a mutant stands, and none to whether it is chosen. */
const inNoOrder = (one: Identified, other: Identified) =>
  one.identity.slice(8) < other.identity.slice(8) ? -1 : 1

/** The mutants to judge, the same ones each time, in an order that makes the first of them a fair sample of all. */
export function chooseMutants<One extends Identified>(mutants: readonly One[], choice: Choice): One[] {
  const counts = countFiles(mutants)
  const { sample } = choice
  return mutants
    .filter((one) => {
      const oneIn = shareOf(one, counts.get(one.file) ?? 0, choice)
      return isChosen(one.identity, { oneIn, sample })
    })
    .toSorted(inNoOrder)
}

function countFiles(mutants: readonly Identified[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { file, group } of mutants) if (group !== 'named') counts.set(file, (counts.get(file) ?? 0) + 1)
  return counts
}
