import { type Equivalent, findEquivalent } from './equivalents.ts'
import { makeTypescriptMutants } from './make-typescript-mutants.ts'
import { findMoneySources } from './money-sources.ts'
import { readNamedMutants } from './named-mutants.ts'
import { identityOf, type Mutant, readSource, type Source } from './source.ts'
import { makeSqlMutants } from './sql/make-sql-mutants.ts'

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
