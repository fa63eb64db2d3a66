import { loadModule, type Node, parseSync } from 'libpg-query'

await loadModule()

/** A statement, its line in the file, and its text together with the comments before it. */
export type ParsedStatement = { node: Node; line: number; text: string; withComments: string }

/**
 * Parses SQL by PostgreSQL's own grammar.
 * @throws Error for what PostgreSQL would not parse either
 */
export function parseMigration(sql: string): ParsedStatement[] {
  if (sql.trim() === '') return []
  // Locations are counted in bytes.
  const bytes = Buffer.from(sql)
  let end = 0
  return (parseSync(sql).stmts ?? []).flatMap(({ stmt, stmt_location: at = 0, stmt_len: length }) => {
    const before = end
    end = length === undefined ? bytes.length : at + length
    const [text, withComments] = [bytes.toString('utf8', at, end), bytes.toString('utf8', before, end)]
    const line = bytes.toString('utf8', 0, at).split('\n').length
    return stmt === undefined ? [] : [{ node: stmt, line, text: text.trim(), withComments }]
  })
}

/** Everything of this kind within a node, itself included, however deep. */
export function findNodes(value: unknown, kind: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === kind ? [inner] : []),
    ...findNodes(inner, kind),
  ])
}

/** The words of a list of names, such as `pg_catalog.now`. */
export const wordsOf = (names: readonly Node[] | undefined): string[] =>
  (names ?? []).flatMap((name) => ('String' in name ? [name.String.sval ?? ''] : []))
