import { type Edit, endsValue, replaced, type SqlOperator } from './edit.ts'

const signs: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*' }

/** A sign between two values turned; one before a value gone. */
export const turnSigns: SqlOperator = (tokens) =>
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
export const countOtherwise: SqlOperator = (tokens) =>
  tokens.flatMap((token, index): Edit[] => {
    const before = tokens[index - 1]
    if (token.kind === 'number' && !noValue.has(before?.text ?? '')) {
      return [1, -1].map((step) => replaced('number', token, String(Number(token.text) + step)))
    }
    const span = /^'(\d+) (\w+)'$/.exec(token.text)
    if (token.kind !== 'string' || before?.text !== 'INTERVAL' || !span) return []
    return [1, -1].map((step) => replaced('number', token, `'${Number(span[1]) + step} ${span[2]}'`))
  })
