import type { Group, Mutant, Source } from '../source.ts'
import { swapColumns, swapInserted } from './column-operators.ts'
import { compareOtherwise, negateOtherwise, swapWords } from './compare-operators.ts'
import { dropConditions, linkOtherwise } from './condition-operators.ts'
import type { SqlOperator } from './edit.ts'
import { countOtherwise, turnSigns } from './number-operators.ts'
import { readSqlTokens } from './read-tokens.ts'

const operators: Readonly<Record<Extract<Group, 'sql' | 'columns'>, readonly SqlOperator[]>> = {
  sql: [
    compareOtherwise,
    negateOtherwise,
    swapWords,
    dropConditions,
    linkOtherwise,
    turnSigns,
    countOtherwise,
  ],
  columns: [swapColumns, swapInserted],
}

const groups = ['sql', 'columns'] as const

/** Every mutant of the SQL in a source's tagged templates. */
export function makeSqlMutants(source: Source): Mutant[] {
  const templates = readSqlTokens(source)
  return groups.flatMap((group) =>
    operators[group].flatMap((operator) =>
      templates.flatMap((tokens) =>
        operator(tokens).map(({ operator: name, ...edit }) => ({
          file: source.file,
          group,
          operator: `sql ${name}`,
          ...edit,
        })),
      ),
    ),
  )
}
