import { type Edit, replaced, type SqlOperator } from './edit.ts'
import type { SqlToken } from './read-tokens.ts'

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
export const swapColumns: SqlOperator = (tokens) => {
  const columns = readColumns(tokens)
  return columns.flatMap(({ owner, name }): Edit[] => {
    const alike = columns.filter((one) => one.owner === owner && kindOf(one.name.text) === kindOf(name.text))
    const names = [...new Set(alike.map((one) => one.name.text))]
    const other = names[(names.indexOf(name.text) + 1) % names.length]
    return other && other !== name.text ? [replaced('column', name, other.toLowerCase())] : []
  })
}

/** Two neighbours of one kind in the list of columns that an INSERT fills. */
export const swapInserted: SqlOperator = (tokens) =>
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
