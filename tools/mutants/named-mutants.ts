import named from './named.json' with { type: 'json' }
import { type Mutant, readSource, type Source } from './source.ts'

/** A mutant by hand: this very source, which stands once in its file, becomes the replacement, and that breaks a rule. */
export type Named = { file: string; source: string; replacement: string; breaks: string }

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
