import {
  type AlterTableStmt,
  type CreateTrigStmt,
  type DropStmt,
  type IndexStmt,
  type Node,
  scanSync,
} from 'libpg-query'
import { outsideMarker } from '../src/outside-steps.ts'
import { type Finding, judgeCommand } from './judge-alter-table.ts'
import type { History } from './migration-history.ts'
import { findNodes, wordsOf } from './parse-migration.ts'

/** The migration that a statement stands in, which runs as one transaction. */
export type MigrationFile = {
  /** Whether a table may have many rows: it is not small, nor made by this very migration. */
  isLarge: (table: string | undefined) => boolean
  /** Whether the migration keeps writers from a large table until its end. */
  isLocked: boolean
  history: History
}

/** What is wrong with a statement that runs in the transaction of its migration. */
export function judgeStatement(node: Node, file: MigrationFile): Finding[] {
  if ('AlterTableStmt' in node) return judgeAlterTable(node.AlterTableStmt, file)
  if ('IndexStmt' in node) return judgeIndex(node.IndexStmt, file)
  if ('DropStmt' in node) return judgeDrop(node.DropStmt, file)
  if ('CreateTrigStmt' in node) return judgeTrigger(node.CreateTrigStmt, file)
  if ('CreateFunctionStmt' in node) return []
  if ('DoStmt' in node) return judgeBlock(node, file)
  if ('ReindexStmt' in node || 'ClusterStmt' in node)
    return [{ text: 'it locks the table for as long as it works' }]
  return judgeRows(node, file)
}

const elsewhere = `put it into a migration of its own whose first line is ${outsideMarker}`

function judgeAlterTable({ objtype, relation, cmds = [] }: AlterTableStmt, file: MigrationFile): Finding[] {
  const table = relation?.relname ?? ''
  if (objtype !== 'OBJECT_TABLE' || !file.isLarge(table)) return []
  return cmds.flatMap((cmd) =>
    'AlterTableCmd' in cmd ? judgeCommand(cmd.AlterTableCmd, { ...file, table }) : [],
  )
}

function judgeIndex({ concurrent, relation }: IndexStmt, { isLarge }: MigrationFile): Finding[] {
  if (concurrent) return [{ text: `CONCURRENTLY cannot run in a transaction: ${elsewhere}` }]
  const table = relation?.relname
  return isLarge(table)
    ? [
        {
          text: `nobody can write to ${table} while the index is built: make it CONCURRENTLY and ${elsewhere}`,
        },
      ]
    : []
}

function judgeDrop({ removeType, concurrent, objects }: DropStmt, file: MigrationFile): Finding[] {
  if (removeType !== 'OBJECT_INDEX') return []
  if (concurrent) return [{ text: `CONCURRENTLY cannot run in a transaction: ${elsewhere}` }]
  const names = (objects ?? []).map((name) => ('List' in name ? wordsOf(name.List.items).at(-1) : undefined))
  // An index that no earlier migration made is one of this file, or of a constraint, which cannot be dropped so.
  return names.some((name) => file.isLarge(file.history.indexes.get(name ?? '')))
    ? [
        {
          text: `it waits until nobody uses the table, and all wait for it: make it CONCURRENTLY and ${elsewhere}`,
        },
      ]
    : []
}

function judgeTrigger({ relation }: CreateTrigStmt, { isLarge }: MigrationFile): Finding[] {
  const table = relation?.relname
  if (!isLarge(table)) return []
  return [
    {
      text: `the trigger runs with every write to ${table}, those of the release before too: it has to be cheap and let them through`,
      waivable: true,
    },
  ]
}

/** The name in a RangeVar, wherever it stands. */
export function tableOf(value: unknown): string | undefined {
  const name: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'relname') : undefined
  return typeof name === 'string' ? name : undefined
}

const writers = ['UpdateStmt', 'DeleteStmt', 'MergeStmt', 'TruncateStmt', 'LockStmt'] as const

// Rows that are changed stay locked until the end of the transaction, and so do tables.
function judgeRows(node: Node, { isLarge }: MigrationFile): Finding[] {
  return writers.flatMap((kind) =>
    findNodes(node, kind).flatMap((written) => {
      const { relation, relations = [relation] } = Object(written)
      const tables = [...findNodes({ RangeVar: relation }, 'RangeVar'), ...findNodes(relations, 'RangeVar')]
      const table = tables.map(tableOf).find(isLarge)
      return table === undefined ? [] : [changesRows(table)]
    }),
  )
}

const changesRows = (table: string): Finding => ({
  text: `what it changes in ${table} stays locked until the end: do it by batches, in a DO block with COMMIT, and ${elsewhere}`,
  waivable: true,
})

const fillers: ReadonlySet<string> = new Set(['FROM', 'INTO', 'ONLY', 'TABLE'])

function judgeBlock(node: Node, { isLarge }: MigrationFile): Finding[] {
  const words = wordsInBlock(node)
  return words.flatMap((word, index): Finding[] => {
    if (word === 'EXECUTE') return [{ text: 'what it executes cannot be checked', waivable: true }]
    const table = words.slice(index + 1).find((next) => !fillers.has(next)) ?? ''
    const changes = /^(UPDATE|DELETE|MERGE|TRUNCATE|LOCK|ALTER)$/.test(word) && words[index - 1] !== 'FOR'
    return changes && isName(table) && isLarge(table.toLowerCase()) ? [changesRows(table.toLowerCase())] : []
  })
}

const isName = (word: string) => /^\w+$/.test(word) && word !== 'SET'

/** The words of a DO block, in capitals and without quotes. */
export function wordsInBlock(node: Node): string[] {
  if (!('DoStmt' in node)) return []
  const bodies = (node.DoStmt.args ?? []).flatMap((arg) =>
    'DefElem' in arg && arg.DefElem.defname === 'as' ? findNodes(arg, 'sval') : [],
  )
  return bodies.flatMap((body) =>
    scanSync(String(body)).tokens.map(({ text }) => text.replace(/^"|"$/g, '').toUpperCase()),
  )
}
