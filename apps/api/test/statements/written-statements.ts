import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { moneyStatements } from './money-statements.ts'
import { statementPages } from './statement-pages.ts'

const folder = join(import.meta.dirname, '../../../../docs/sql')

/** Every line by the depth of its brackets, and every part of the statement on a line of its own. */
export function formatSql(text: string): string {
  let depth = 0
  const lines = text
    .replaceAll(/^(WITH )?([a-z_]+) AS \((?=\S)/gm, '$1$2 AS (\n')
    .replaceAll(/(\S)\)(,?)\n(?=[a-z_]+ AS \(|SELECT )/g, '$1\n)$2\n')
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter(Boolean)
  const indented = lines.map((line) => {
    const outer = line.startsWith(')') ? depth - 1 : depth
    depth += line.split('(').length - line.split(')').length
    return `${'  '.repeat(Math.max(0, outer))}${line}`
  })
  return `${indented.join('\n')}\n`
}

/** The text of every statement that moves money or days, by its name. */
export async function listStatements(): Promise<Map<string, string>> {
  const statements = await moneyStatements()
  return new Map(statements.map(({ name, sql }) => [name ?? '', formatSql(sql.text)]))
}

/** What docs/sql holds: the text of every file by its name. */
export const readPages = (): Map<string, string> =>
  new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))

/** Makes docs/sql say what the statements are now. */
export function writePages(statements: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [file, text] of statementPages(statements)) writeFileSync(join(folder, file), text)
}
