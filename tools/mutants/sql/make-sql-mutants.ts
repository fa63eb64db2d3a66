import type { Group, Mutant, Source } from '../source.ts'
import { compareOtherwise, negateOtherwise, swapWords } from './compare-operators.ts'
import { dropConditions, linkOtherwise } from './condition-operators.ts'
import { type Edit, endsValue, replaced, type SqlOperator } from './edit.ts'
import { readSqlTokens, type SqlToken } from './read-tokens.ts'

type Column = { owner: string; name: SqlToken }

function readColumns(tokens: readonly SqlToken[]): Column[] {
  return tokens.flatMap((token, index): Column[] => {
    const [owner, dot] = [tokens[index - 2], tokens[index - 1]]
    const isColumn = token.kind === 'word' && dot?.text === '.' && owner?.kind === 'word'
    return isColumn && tokens[index + 1]?.kind !== 'open' ? [{ owner: owner.text, name: token }] : []
  })
}

const numbers: ReadonlySet<string> = new Set(['DAYS', 'SEQ', 'FEN', 'COUNT'])

/** What a column holds, by the end of its name: another kind in its place would be refused by its type alone. */
function kindOf(name: string): string {
  const end = name.slice(name.lastIndexOf('_') + 1)
  return numbers.has(end) ? 'number' : end
}

/** A column of a table for the next one of its kind that the same statement reads of that table. */
const swapColumns: SqlOperator = (tokens) => {
  const columns = readColumns(tokens)
  return columns.flatMap(({ owner, name }): Edit[] => {
    const alike = columns.filter((one) => one.owner === owner && kindOf(one.name.text) === kindOf(name.text))
    const names = [...new Set(alike.map((one) => one.name.text))]
    const other = names[(names.indexOf(name.text) + 1) % names.length]
    return other && other !== name.text ? [replaced('column', name, other.toLowerCase())] : []
  })
}

/** Two neighbours of one kind in the list of columns that an INSERT fills. */
const swapInserted: SqlOperator = (tokens) =>
  tokens.flatMap((token, index): Edit[] => {
    const [left, right] = [tokens[index - 1], tokens[index + 1]]
    if (token.kind !== 'comma' || left?.kind !== 'word' || right?.kind !== 'word') return []
    const open = tokens
      .slice(0, index)
      .findLastIndex(({ kind, depth }) => kind === 'open' && depth === token.depth - 1)
    if (tokens[open - 2]?.text !== 'INTO' || kindOf(left.text) !== kindOf(right.text)) return []
    const swapped = `${right.text}, ${left.text}`.toLowerCase()
    return [replaced('inserted column', { start: left.start, end: right.end }, swapped)]
  })

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
