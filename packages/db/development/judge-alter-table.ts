import type { AlterTableCmd, AlterTableType, ColumnDef, Constraint } from 'libpg-query'
import type { History } from './migration-history.ts'
import { findNodes, wordsOf } from './parse-migration.ts'

/** What is wrong with a statement. A waivable one is no matter when a line `-- reviewed: <why>` says why. */
export type Finding = { text: string; waivable?: true }

// Changes of the catalogue alone: brief once the lock is there.
const brief: ReadonlySet<AlterTableType | undefined> = new Set([
  ...([
    'AT_ColumnDefault',
    'AT_DropNotNull',
    'AT_DropColumn',
    'AT_DropConstraint',
    'AT_AlterConstraint',
  ] as const),
  ...([
    'AT_SetStatistics',
    'AT_SetOptions',
    'AT_ResetOptions',
    'AT_SetRelOptions',
    'AT_ResetRelOptions',
  ] as const),
  ...(['AT_SetStorage', 'AT_SetCompression', 'AT_ReplicaIdentity', 'AT_ChangeOwner'] as const),
  ...(['AT_DropIdentity', 'AT_DropExpression', 'AT_EnableTrig', 'AT_DisableTrig'] as const),
  ...(['AT_EnableRowSecurity', 'AT_DisableRowSecurity'] as const),
])

// Of these, one value serves every row that is there.
const steady: ReadonlySet<string> = new Set([
  ...['now', 'transaction_timestamp', 'statement_timestamp', 'business_now'],
])

type Where = { table: string; history: History; isLocked: boolean }

/** What one command of ALTER TABLE does to a table with many rows, other than briefly. */
export function judgeCommand({ subtype, name, def }: AlterTableCmd, where: Where): Finding[] {
  const { table } = where
  const [column, constraint] = [
    def !== undefined && 'ColumnDef' in def ? def.ColumnDef : undefined,
    def !== undefined && 'Constraint' in def ? def.Constraint : undefined,
  ]
  if (subtype === 'AT_AddColumn' && column) return judgeColumn(column, table)
  if (subtype === 'AT_AddConstraint' && constraint) return judgeConstraint(constraint, where)
  if (subtype === 'AT_SetNotNull') return judgeNotNull(name ?? '', where)
  if (subtype === 'AT_AlterColumnType')
    return [
      finding(
        `ALTER COLUMN TYPE rewrites ${table} or its indexes: add a column, fill it by batches, drop the old one later`,
      ),
    ]
  if (subtype === 'AT_ValidateConstraint')
    return where.isLocked
      ? [
          finding(
            `VALIDATE CONSTRAINT reads all of ${table} while this migration holds locks: put it into the next one`,
          ),
        ]
      : []
  return brief.has(subtype) ? [] : [finding(`${subtype?.slice(3)} on ${table} is not known to be brief`)]
}

const finding = (text: string): Finding => ({ text })

function judgeColumn({ colname, typeName, constraints = [] }: ColumnDef, table: string): Finding[] {
  const column = `${table}.${colname}`
  const rules = constraints.flatMap((rule) => ('Constraint' in rule ? [rule.Constraint] : []))
  const hasDefault = rules.some(({ contype }) => contype === 'CONSTR_DEFAULT')
  const rewrites = `ADD COLUMN ${column} rewrites the table, each row having a value of its own: add it without, then a default, then fill it by batches`
  if (/^(small|big)?serial$/.test(wordsOf(typeName?.names).at(-1) ?? '')) return [finding(rewrites)]
  return rules.flatMap((rule): Finding[] => {
    if (rule.contype === 'CONSTR_IDENTITY' || rule.contype === 'CONSTR_GENERATED') return [finding(rewrites)]
    if (rule.contype === 'CONSTR_DEFAULT') return isSteady(rule) ? [] : [{ text: rewrites, waivable: true }]
    if (rule.contype === 'CONSTR_UNIQUE' || rule.contype === 'CONSTR_PRIMARY') return [buildsIndex(table)]
    // A key of a new column that is NULL everywhere is not looked up.
    if (rule.contype === 'CONSTR_CHECK' || (rule.contype === 'CONSTR_FOREIGN' && hasDefault))
      return [readsAll(table)]
    return []
  })
}

const isSteady = (rule: Constraint): boolean =>
  findNodes(rule.raw_expr, 'funcname').every(
    (names) => Array.isArray(names) && steady.has(wordsOf(names).at(-1) ?? ''),
  )

const buildsIndex = (table: string) =>
  finding(
    `a unique constraint builds its index while nobody can write to ${table}: build it CONCURRENTLY in an earlier migration, then ADD CONSTRAINT … USING INDEX`,
  )

const readsAll = (table: string) =>
  finding(
    `the constraint is checked for all of ${table} while it is locked: ADD CONSTRAINT … NOT VALID, and VALIDATE CONSTRAINT in the next migration`,
  )

function judgeConstraint(constraint: Constraint, where: Where): Finding[] {
  const { contype, skip_validation: isNotValid, indexname } = constraint
  if (contype === 'CONSTR_UNIQUE' || contype === 'CONSTR_PRIMARY')
    return indexname === undefined ? [buildsIndex(where.table)] : []
  if (contype === 'CONSTR_NOTNULL') return wordsOf(constraint.keys).flatMap((key) => judgeNotNull(key, where))
  if (contype === 'CONSTR_EXCLUSION')
    return [finding(`an exclusion constraint cannot be added to ${where.table} without stopping its writers`)]
  return isNotValid ? [] : [readsAll(where.table)]
}

function judgeNotNull(column: string, { table, history }: Where): Finding[] {
  if (history.neverNull.has(`${table}.${column}`)) return []
  return [
    finding(
      `SET NOT NULL reads all of ${table} while it is locked: first CHECK (${column} IS NOT NULL) NOT VALID, then VALIDATE CONSTRAINT, each in a migration of its own; then it is brief`,
    ),
  ]
}
