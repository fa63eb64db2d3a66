import { type Edit, replaced, type SqlOperator } from './edit.ts'
import type { SqlToken } from './read-tokens.ts'

/** For each comparison what it is turned into, and where its bound is moved to. */
const others: Readonly<Record<string, readonly string[]>> = {
  '=': ['<>'],
  '<>': ['='],
  '!=': ['='],
  '<': ['<=', '>'],
  '<=': ['<', '>'],
  '>': ['>=', '<'],
  '>=': ['>', '<'],
}

const clauses: ReadonlySet<string> = new Set(['FROM', 'WHERE', 'RETURNING'])

/** Whether the list of assignments that a statement or a fragment holds is still going on at this token. */
function isAssigned(tokens: readonly SqlToken[], index: number): boolean {
  const sign = tokens[index]
  const before = tokens[index - 2]
  if (!sign || (before && (before.depth !== sign.depth || !['SET', ','].includes(before.text)))) return false
  const earlier = tokens.slice(0, index).filter(({ depth }) => depth === sign.depth)
  const set = earlier.findLastIndex(({ text }) => text === 'SET')
  const clause = earlier.findLastIndex(({ text }) => clauses.has(text))
  if (set !== -1) return clause < set
  // A fragment of assignments: it begins with one and goes on after a comma.
  const isList = tokens.some(({ kind, depth }) => kind === 'comma' && depth === 0)
  return sign.depth === 0 && tokens[1]?.text === '=' && isList
}

/** A comparison turned, or its bound moved. */
export const compareOtherwise: SqlOperator = (tokens) =>
  tokens.flatMap((token, index): Edit[] => {
    if (token.kind !== 'sign' || (token.text === '=' && isAssigned(tokens, index))) return []
    return (others[token.text] ?? []).map((other) => replaced('comparison', token, other))
  })

/** IS NULL and IS NOT NULL, EXISTS and NOT EXISTS, IN and NOT IN, and a NOT that is gone. */
export const negateOtherwise: SqlOperator = (tokens) =>
  tokens.flatMap((token, index): Edit[] => {
    const [before, next] = [tokens[index - 1], tokens[index + 1]]
    if (token.kind !== 'word') return []
    if (token.text === 'IS' && next?.text !== 'NOT') return [replaced('negation', token, 'IS NOT')]
    if (token.text === 'NOT' && next) {
      return [replaced('negation', { start: token.start, end: next.start }, '')]
    }
    const isAlone = before?.text !== 'NOT' && before?.text !== 'IF'
    return isAlone && (token.text === 'EXISTS' || token.text === 'IN')
      ? [replaced('negation', token, `NOT ${token.text}`)]
      : []
  })

const pairs: Readonly<Record<string, string>> = {
  GREATEST: 'least',
  LEAST: 'greatest',
  DESC: 'ASC',
  TRUE: 'false',
  FALSE: 'true',
}

/** greatest and least, true and false, the order turned round. */
export const swapWords: SqlOperator = (tokens) =>
  tokens.flatMap((token): Edit[] => {
    const other = token.kind === 'word' ? pairs[token.text] : undefined
    return other ? [replaced('word', token, other)] : []
  })
