import type { SqlToken } from './read-tokens.ts'

export type Edit = { operator: string; start: number; end: number; replacement: string }

/** Finds what one operator does to one template. */
export type SqlOperator = (tokens: readonly SqlToken[]) => Edit[]

export const replaced = (
  operator: string,
  { start, end }: Pick<SqlToken, 'start' | 'end'>,
  replacement: string,
): Edit => ({ operator, start, end, replacement })

/** Words of the language that no value ends with: what follows them is a beginning. */
export const keywords: ReadonlySet<string> = new Set(
  'ALL AND ANY AS BETWEEN BY CASE DISTINCT ELSE EXISTS FILTER FOR FROM GROUP HAVING IN INSERT INTERVAL INTO IS JOIN LATERAL LEFT LIMIT NOT OF ON OR ORDER OVER RETURNING SELECT SET THEN UNION UPDATE USING VALUES WHEN WHERE WITH'.split(
    ' ',
  ),
)

/** Whether a value may end with this token, so that a sign after it stands between two. */
export const endsValue = (token: SqlToken | undefined): boolean =>
  token !== undefined &&
  (['number', 'string', 'value', 'close'].includes(token.kind) ||
    (token.kind === 'word' && !keywords.has(token.text)))
