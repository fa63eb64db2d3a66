import { type Edit, replaced, type SqlOperator } from './edit.ts'
import type { SqlToken } from './read-tokens.ts'

const links: ReadonlySet<string> = new Set(['AND', 'OR'])
const borders: ReadonlySet<string> = new Set(
  'AND OR WHERE HAVING ON WHEN THEN ELSE AS SELECT FROM JOIN LEFT GROUP ORDER LIMIT RETURNING FOR UNION WITH SET , ;'.split(
    ' ',
  ),
)

/** The AND of a BETWEEN links no conditions. */
function isLink(tokens: readonly SqlToken[], index: number): boolean {
  const token = tokens[index]
  if (!token || !links.has(token.text)) return false
  if (token.text === 'OR') return true
  const earlier = tokens.slice(0, index).filter(({ depth }) => depth === token.depth)
  const between = earlier.findLastIndex(({ text }) => text === 'BETWEEN')
  return between === -1 || earlier.slice(between).some(({ text }) => text === 'AND')
}

const isBorder = (tokens: readonly SqlToken[], index: number) =>
  borders.has(tokens[index]?.text ?? '') && (tokens[index]?.text !== 'AND' || isLink(tokens, index))

/** The end of the condition that begins at this index: the first token that is no part of it. */
function endOf(tokens: readonly SqlToken[], from: number): number {
  const depth = tokens[from]?.depth ?? 0
  const end = tokens.findIndex(
    (token, index) =>
      index >= from && (token.depth < depth || (token.depth === depth && isBorder(tokens, index))),
  )
  return end === -1 ? tokens.length : end
}

/** The beginning of the condition that ends before this index. */
function startOf(tokens: readonly SqlToken[], before: number): number {
  const depth = tokens[before]?.depth ?? 0
  const border = tokens
    .slice(0, before)
    .findLastIndex(
      (token, index) => token.depth < depth || (token.depth === depth && isBorder(tokens, index)),
    )
  return border + 1
}

function dropped(tokens: readonly SqlToken[], [from, to]: [number, number], value: string): Edit[] {
  const [first, last] = [tokens[from], tokens[to - 1]]
  if (!first || !last || to <= from) return []
  return [replaced('condition', { start: first.start, end: last.end }, value)]
}

/** A condition that is left out: of a chain it is taken as met, of alternatives as not met. */
export const dropConditions: SqlOperator = (tokens) => {
  const edits = tokens.flatMap((token, index): Edit[] => {
    const linked = isLink(tokens, index)
    if (token.kind !== 'word' || !(linked || token.text === 'WHERE' || token.text === 'HAVING')) return []
    const value = token.text === 'OR' ? 'FALSE' : 'TRUE'
    const after = dropped(tokens, [index + 1, endOf(tokens, index + 1)], value)
    const start = startOf(tokens, index)
    const isFirst = linked && !links.has(tokens[start - 1]?.text ?? '') && !isWhere(tokens[start - 1])
    return isFirst ? [...dropped(tokens, [start, index], value), ...after] : after
  })
  return edits
}

const isWhere = (token: SqlToken | undefined) => token?.text === 'WHERE' || token?.text === 'HAVING'

/** AND for OR and OR for AND. */
export const linkOtherwise: SqlOperator = (tokens) =>
  tokens.flatMap((token, index): Edit[] =>
    token.kind === 'word' && isLink(tokens, index)
      ? [replaced('link', token, token.text === 'AND' ? 'OR' : 'AND')]
      : [],
  )
