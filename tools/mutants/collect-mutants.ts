import { makeTypescriptMutants } from './make-typescript-mutants.ts'
import { findMoneySources } from './money-sources.ts'
import named from './named.json' with { type: 'json' }
import { differenceOf, identityOf, type Mutant, readSource, type Source } from './source.ts'
import { makeSqlMutants } from './sql/make-sql-mutants.ts'
import survivors from './survivors.json' with { type: 'json' }

/** A mutant by hand: this very source, which stands once in its file, becomes the replacement, and that breaks a rule. */
type Named = { file: string; source: string; replacement: string; breaks: string }

/** @throws Error when the source does not stand exactly once in the file */
export function makeNamedMutant({ text }: Source, { file, source, replacement, breaks }: Named): Mutant {
  const start = text.indexOf(source)
  if (start === -1 || text.includes(source, start + 1))
    throw new Error(`tools/mutants/named.json: ${file} must hold once: ${source}`)
  return { file, group: 'named', operator: breaks, start, end: start + source.length, replacement }
}

/** Every named mutant; each must die. */
export const readNamedMutants = (): Mutant[] =>
  named.map((one: Named) => makeNamedMutant(readSource(one.file), one))

/** A mutant that no test can notice, as the lines it changes, and why nobody can. */
type Equivalent = { file: string; before: string; after: string; reason: string }

export const equivalents: readonly Equivalent[] = survivors

const fits = (one: Equivalent, source: Source, mutant: Mutant): boolean => {
  if (one.file !== mutant.file) return false
  const { before, after } = differenceOf(source, mutant)
  return one.before === before && one.after === after
}

/** Why a mutant changes nothing, where that is known. */
const findEquivalent = (
  source: Source,
  mutant: Mutant,
  known: readonly Equivalent[] = equivalents,
): Equivalent | undefined => known.find((one) => fits(one, source, mutant))

export type Collected = { mutant: Mutant; source: Source; identity: string }

/** Every mutant of one source that an operator makes; two operators may make the same one. */
async function makeMutants(source: Source): Promise<Mutant[]> {
  return [...makeSqlMutants(source), ...(await makeTypescriptMutants(source))]
}

const isWanted = (file: string, wanted: readonly string[]) =>
  wanted.length === 0 || wanted.some((part) => file.includes(part))

/** `wanted` are parts of file names; `named` alone means the named mutants only. */
export async function collectMutants(
  wanted: readonly string[],
): Promise<{ mutants: Collected[]; equivalents: Equivalent[] }> {
  const parts = wanted.filter((part) => part !== 'named')
  const onlyNamed = parts.length < wanted.length && parts.length === 0
  const named = readNamedMutants().filter(({ file }) => onlyNamed || isWanted(file, parts))
  const sources = onlyNamed ? [] : findMoneySources().filter((file) => isWanted(file, parts))
  const known = new Map<string, Source>()
  const sourceOf = (file: string): Source => {
    const source = known.get(file) ?? readSource(file)
    known.set(file, source)
    return source
  }
  const found = new Map<string, Collected>()
  const equivalents: Equivalent[] = []
  const add = (mutant: Mutant) => {
    const source = sourceOf(mutant.file)
    const identity = identityOf(source, mutant)
    if (found.has(identity)) return
    const equivalent = mutant.group === 'named' ? undefined : findEquivalent(source, mutant)
    if (equivalent) equivalents.push(equivalent)
    else found.set(identity, { mutant, source, identity })
  }
  for (const mutant of named) add(mutant)
  for (const file of sources) for (const mutant of await makeMutants(sourceOf(file))) add(mutant)
  return { mutants: [...found.values()], equivalents }
}
