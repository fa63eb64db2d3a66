import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export const checkout = join(import.meta.dirname, '../..')

/** Every file below a folder of the checkout, in one order everywhere. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .sort()

/** A source file that mutants are made of; `file` is its path in the checkout. */
export type Source = { file: string; text: string; tree: ts.SourceFile }

export const parseSource = (file: string, text: string): Source => ({
  file,
  text,
  tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true),
})

export const readSource = (file: string): Source =>
  parseSource(file, readFileSync(join(checkout, file), 'utf8'))

/** One change of one source: the text between two offsets is replaced. */
export type Mutant = {
  file: string
  /** What is done to it: the name of an operator, or what a named mutant breaks. */
  operator: string
  group: Group
  start: number
  end: number
  replacement: string
}

export type Group = 'named' | 'typescript' | 'sql' | 'columns'

export const hashOf = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)

export const applyMutant = ({ text }: Source, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end)

/**
 * The same for the same change of the same code, wherever in its file that stands: the top-level statement around it,
 * the place in that, and the replacement.
 */
export function identityOf({ tree, text }: Source, mutant: Mutant): string {
  const around = tree.statements.find((one) => one.getStart() <= mutant.start && mutant.end <= one.getEnd())
  const [from, to] = around ? [around.getStart(), around.getEnd()] : [0, text.length]
  return hashOf(
    mutant.file,
    text.slice(from, to),
    mutant.start - from,
    mutant.end - mutant.start,
    mutant.replacement,
  )
}

export type Difference = { line: number; before: string; after: string }

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** The lines that a mutant changes, each side in one line. */
export function differenceOf({ text }: Source, { start, end, replacement }: Mutant): Difference {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const to = next === -1 ? text.length : next
  return {
    line: text.slice(0, start).split('\n').length,
    before: inOneLine(text.slice(from, to)),
    after: inOneLine(text.slice(from, start) + replacement + text.slice(end, to)),
  }
}
