import ts from 'typescript'
import type { Source } from '../source.ts'

export type SqlToken = {
  kind: 'word' | 'number' | 'string' | 'sign' | 'open' | 'close' | 'comma' | 'value'
  /** As written, words in capitals; `value` is what stands between `${` and `}`. */
  text: string
  start: number
  end: number
  /** How many parentheses and CASEs are open around it. */
  depth: number
}

const tags: ReadonlySet<string> = new Set(['sql', 'Prisma.sql'])

const pattern =
  /(?<space>\s+|--[^\n]*)|(?<string>'(?:[^']|'')*')|(?<number>\d+(?:\.\d+)?)|(?<word>[A-Za-z_][A-Za-z_0-9]*|"[^"]*")|(?<open>[([])|(?<close>[)\]])|(?<comma>,)|(?<sign>->>|->|\|\||::|<=|>=|<>|!=|@>|<@|=>|.)/gsy

const kinds = ['string', 'number', 'word', 'open', 'close', 'comma', 'sign'] as const

type Piece = { text: string; start: number }

function readPiece({ text, start }: Piece): Omit<SqlToken, 'depth'>[] {
  return [...text.matchAll(pattern)].flatMap(({ 0: found, index, groups = {} }) => {
    const kind = kinds.find((name) => groups[name] !== undefined)
    if (!kind) return []
    const at = { start: start + index, end: start + index + found.length }
    return [{ kind, text: kind === 'word' && !found.startsWith('"') ? found.toUpperCase() : found, ...at }]
  })
}

/** Literal text and values of a template in turn, as they stand in the file. */
function readTemplate({ text }: Source, template: ts.TemplateLiteral): Omit<SqlToken, 'depth'>[] {
  const literals = ts.isTemplateExpression(template)
    ? [template.head, ...template.templateSpans.map(({ literal }) => literal)]
    : [template]
  return literals.flatMap((literal, index) => {
    const start = literal.getStart() + 1
    const opens = literal.kind === ts.SyntaxKind.TemplateHead || literal.kind === ts.SyntaxKind.TemplateMiddle
    const end = literal.getEnd() - (opens ? 2 : 1)
    const tokens = readPiece({ text: text.slice(start, end), start })
    const next = literals[index + 1]
    if (!next) return tokens
    const value = { start: end, end: next.getStart() + 1 }
    return [...tokens, { kind: 'value' as const, text: text.slice(value.start, value.end), ...value }]
  })
}

function withDepth(tokens: readonly Omit<SqlToken, 'depth'>[]): SqlToken[] {
  let depth = 0
  return tokens.map((token) => {
    if (token.kind === 'close' || token.text === 'END') depth -= 1
    const at = { ...token, depth }
    if (token.kind === 'open' || token.text === 'CASE') depth += 1
    return at
  })
}

/** The SQL of every tagged template of a source, nested ones apart, as tokens that know their place in the file. */
export function readSqlTokens(source: Source): SqlToken[][] {
  const found: SqlToken[][] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && tags.has(node.tag.getText()))
      found.push(withDepth(readTemplate(source, node.template)))
    ts.forEachChild(node, visit)
  }
  visit(source.tree)
  return found
}
