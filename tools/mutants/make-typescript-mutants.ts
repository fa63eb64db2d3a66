import { Instrumenter } from '@stryker-mutator/instrumenter'
import type { Mutant, Source } from './source.ts'

const silent = () => undefined
const logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
}

/**
 * Mutators of Stryker that are left out: an emptied string is refused by the types or empties a whole statement, whose
 * parts have operators of their own; a function that is gone does not load.
 */
const excluded = ['StringLiteral', 'ArrowFunction']

/** Every mutant of a source's TypeScript. */
export async function makeTypescriptMutants({ file, text, tree }: Source): Promise<Mutant[]> {
  const { mutants } = await new Instrumenter(logger).instrument(
    [{ name: file, content: text, mutate: true }],
    {
      plugins: null,
      excludedMutations: excluded,
      ignorers: [],
    },
  )
  return mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ location: { start, end }, mutatorName, replacement }) => ({
      file,
      group: 'typescript',
      operator: mutatorName,
      start: tree.getPositionOfLineAndCharacter(start.line, start.column),
      end: tree.getPositionOfLineAndCharacter(end.line, end.column),
      replacement,
    }))
}
