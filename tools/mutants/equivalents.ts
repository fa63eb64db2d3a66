import { differenceOf, type Mutant, type Source } from './source.ts'
import survivors from './survivors.json' with { type: 'json' }

/** A mutant that no test can notice, as the lines it changes, and why nobody can. */
export type Equivalent = { file: string; before: string; after: string; reason: string }

export const equivalents: readonly Equivalent[] = survivors

const fits = (one: Equivalent, source: Source, mutant: Mutant): boolean => {
  if (one.file !== mutant.file) return false
  const { before, after } = differenceOf(source, mutant)
  return one.before === before && one.after === after
}

/** Why a mutant changes nothing, where that is known. */
export const findEquivalent = (
  source: Source,
  mutant: Mutant,
  known: readonly Equivalent[] = equivalents,
): Equivalent | undefined => known.find((one) => fits(one, source, mutant))
