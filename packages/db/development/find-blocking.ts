import type { Node } from 'libpg-query'
import { readOutsideSteps, runsOutside } from '../src/outside-steps.ts'
import type { Finding } from './judge-alter-table.ts'
import { judgeStatement, type MigrationFile, tableOf, wordsInBlock } from './judge-statement.ts'
import type { History } from './migration-history.ts'
import { findNodes, type ParsedStatement, parseMigration } from './parse-migration.ts'
import { smallTables } from './small-tables.ts'

/**
 * What in a migration could keep somebody from paying for longer than its locks are waited for: a line for each statement
 * that works on a large table while it is locked, and for each that cannot run where it stands.
 */
export function findBlocking(sql: string, history: History): string[] {
  const statements = parseMigration(sql)
  if (runsOutside({ sql })) return judgeOutside(sql, statements)
  const file = describeFile(statements)
  return statements.flatMap((statement) =>
    tell(statement, judgeStatement(statement.node, { ...file, history })),
  )
}

function tell({ line, text, withComments }: ParsedStatement, findings: readonly Finding[]): string[] {
  const isReviewed = /^\s*-- reviewed: \S/m.test(withComments)
  return findings
    .filter(({ waivable }) => !(waivable && isReviewed))
    .map((found) => {
      const how = found.waivable ? ' (or say why not in a line before it: -- reviewed: …)' : ''
      return `line ${line}, ${text.split('\n', 1)[0]}: ${found.text}${how}`
    })
}

function describeFile(statements: readonly ParsedStatement[]): Omit<MigrationFile, 'history'> {
  const made = new Set(
    statements.flatMap(({ node }) => ('CreateStmt' in node ? [node.CreateStmt.relation?.relname] : [])),
  )
  const isLarge = (table: string | undefined) =>
    table !== undefined && table !== '' && !made.has(table) && !smallTables.has(table)
  return { isLarge, isLocked: statements.some(({ node }) => locksWriters(node, isLarge)) }
}

function locksWriters(node: Node, isLarge: MigrationFile['isLarge']): boolean {
  if ('AlterTableStmt' in node)
    return (
      isLarge(node.AlterTableStmt.relation?.relname) &&
      findNodes(node, 'subtype').some((subtype) => subtype !== 'AT_ValidateConstraint')
    )
  if ('CreateTrigStmt' in node) return isLarge(node.CreateTrigStmt.relation?.relname)
  // A foreign key locks the table that it refers to.
  return 'CreateStmt' in node && findNodes(node, 'pktable').some((table) => isLarge(tableOf(table)))
}

/** The statements of a file with the marker: those that can run again, and blocks that do their work by batches. */
function judgeOutside(sql: string, statements: readonly ParsedStatement[]): string[] {
  try {
    readOutsideSteps({ sql })
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
  return statements.flatMap((statement) => {
    const commits = wordsInBlock(statement.node).includes('COMMIT')
    return 'DoStmt' in statement.node && !commits
      ? tell(statement, [
          { text: 'outside of a transaction a block does its work by batches, with COMMIT after each' },
        ])
      : []
  })
}
