import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatSql } from './format-sql.ts'
import { moneyStatements } from './money-statements.ts'
import { statementPages } from './statement-pages.ts'

const folder = join(import.meta.dirname, '../../../../docs/sql')

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
