import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatSql } from './format-sql.ts'
import { moneyStatements } from './money-statements.ts'

const folder = join(import.meta.dirname, '../../../../docs/sql')
const fileOf = (name: string) => join(folder, `${name}.sql`)

/** The text of every statement that moves money or days, by its name. */
export async function listStatements(): Promise<Map<string, string>> {
  const statements = await moneyStatements()
  return new Map(statements.map(({ name, sql }) => [name ?? '', formatSql(sql.text)]))
}

/** What docs/sql says of a statement; null where it says nothing. */
export const readWritten = (name: string): string | null =>
  existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : null

export const writtenNames = (): string[] =>
  readdirSync(folder).flatMap((file) => (file.endsWith('.sql') ? [file.slice(0, -'.sql'.length)] : []))

/** Makes docs/sql say what the statements are now. */
export function writeStatements(statements: ReadonlyMap<string, string>): void {
  for (const name of writtenNames()) rmSync(fileOf(name))
  for (const [name, text] of statements) writeFileSync(fileOf(name), text)
}
