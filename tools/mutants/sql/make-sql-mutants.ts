import type { Group, Mutant, Source } from '../source.ts'
import { swapColumns, swapInserted } from './column-operators.ts'
import { compareOtherwise, negateOtherwise, swapWords } from './compare-operators.ts'
import { dropConditions, linkOtherwise } from './condition-operators.ts'
import { type Edit, endsValue, replaced, type SqlOperator } from './edit.ts'
import { readSqlTokens } from './read-tokens.ts'

const signs: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*' }

/** A sign between two values turned; one before a value gone. */
const turnSigns: SqlOperator = (tokens) =>
  tokens.flatMap((token, index): Edit[] => {
    const other = token.kind === 'sign' ? signs[token.text] : undefined
    const next = tokens[index + 1]
    if (!other || !next) return []
    if (endsValue(tokens[index - 1])) return [replaced('sign', token, other)]
    return token.text === '-' ? [replaced('sign', { start: token.start, end: next.start }, '')] : []
  })

// A number after one of these is the place of a column, or stands for "a row".
const noValue: ReadonlySet<string> = new Set(['SELECT', 'BY'])

/** Every number one more and one less, in intervals as well. */
const countOtherwise: SqlOperator = (tokens) =>
  tokens.flatMap((token, index): Edit[] => {
    const before = tokens[index - 1]
    if (token.kind === 'number' && !noValue.has(before?.text ?? '')) {
      return [1, -1].map((step) => replaced('number', token, String(Number(token.text) + step)))
    }
    const span = /^'(\d+) (\w+)'$/.exec(token.text)
    if (token.kind !== 'string' || before?.text !== 'INTERVAL' || !span) return []
    return [1, -1].map((step) => replaced('number', token, `'${Number(span[1]) + step} ${span[2]}'`))
  })

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
