// What PostgreSQL's lexer takes as one piece: a comment, a string of either kind, a name in quotes, a body between dollars.
const pieces =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<![\w$])\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|;|[\s\S]/g

/** A statement and where it begins in its file. */
export type FileStatement = { start: number; text: string }

/**
 * Cuts SQL at the semicolons between statements. Comments before a statement are not part of it. Not for what has
 * semicolons outside of strings, such as the body of a function in BEGIN ATOMIC, nor for comments within comments.
 */
export function splitStatements(sql: string): FileStatement[] {
  const statements: FileStatement[] = []
  let start: number | null = null
  for (const { 0: piece, index } of sql.matchAll(pieces)) {
    if (piece === ';') {
      if (start !== null) statements.push({ start, text: sql.slice(start, index) })
      start = null
    } else if (start === null && !/^(--|\/\*|\s)/.test(piece)) start = index
  }
  if (start !== null) statements.push({ start, text: sql.slice(start).trimEnd() })
  return statements
}

/** The statement at its place, all before it blank, so that the server's positions are those of the file. */
export const atItsPlace = (sql: string, { start, text }: FileStatement): string =>
  sql.slice(0, start).replace(/[^\n]/gu, ' ') + text
