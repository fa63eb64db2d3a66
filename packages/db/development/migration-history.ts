import type { AlterTableStmt, Constraint, Node } from 'libpg-query'
import { parseMigration } from './parse-migration.ts'

/** What earlier migrations have left for later ones to stand on. */
export type History = {
  /** The table of each index. */
  indexes: ReadonlyMap<string, string>
  /** Columns, as in `orders.note`, of which a validated check says that they are not NULL. */
  neverNull: ReadonlySet<string>
}

/** Reads the migrations before, in their order. */
export function readHistory(files: readonly string[]): History {
  const indexes = new Map<string, string>()
  const checks = new Map<string, string>()
  const neverNull = new Set<string>()
  for (const { node } of files.flatMap(parseMigration)) {
    if ('IndexStmt' in node) indexes.set(node.IndexStmt.idxname ?? '', node.IndexStmt.relation?.relname ?? '')
    if ('AlterTableStmt' in node) noteChecks(node.AlterTableStmt, { checks, neverNull })
  }
  return { indexes, neverNull }
}

type Noted = { checks: Map<string, string>; neverNull: Set<string> }

function noteChecks({ relation, cmds = [] }: AlterTableStmt, { checks, neverNull }: Noted): void {
  const table = relation?.relname ?? ''
  for (const cmd of cmds) {
    if (!('AlterTableCmd' in cmd)) continue
    const { subtype, name, def } = cmd.AlterTableCmd
    const constraint = def !== undefined && 'Constraint' in def ? def.Constraint : undefined
    const column = constraint && checkedColumn(constraint)
    if (constraint && column !== undefined) {
      checks.set(`${table}.${constraint.conname}`, `${table}.${column}`)
      if (!constraint.skip_validation) neverNull.add(`${table}.${column}`)
    }
    const validated = subtype === 'AT_ValidateConstraint' ? checks.get(`${table}.${name}`) : undefined
    if (validated !== undefined) neverNull.add(validated)
  }
}

/** The column of a check that says `column IS NOT NULL` and nothing else. */
function checkedColumn({ contype, raw_expr: check }: Constraint): string | undefined {
  if (contype !== 'CONSTR_CHECK' || check === undefined || !('NullTest' in check)) return undefined
  const { nulltesttype, arg } = check.NullTest
  return nulltesttype === 'IS_NOT_NULL' ? columnOf(arg) : undefined
}

function columnOf(node: Node | undefined): string | undefined {
  const [field] = node !== undefined && 'ColumnRef' in node ? (node.ColumnRef.fields ?? []) : []
  return field !== undefined && 'String' in field ? field.String.sval : undefined
}
