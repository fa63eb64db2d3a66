import type { Migration } from './migration-record.ts'
import { atItsPlace, splitStatements } from './split-statements.ts'

/** The first line of a migration that runs outside of a transaction, statement by statement. */
export const outsideMarker = '-- outside a transaction'

export const runsOutside = ({ sql }: Pick<Migration, 'sql'>): boolean =>
  sql.split('\n', 1)[0]?.trimEnd() === outsideMarker

/** One statement of such a migration; all of them may run again, after a crash before the migration was recorded. */
export type OutsideStep = { sql: string } & (
  | { kind: 'create index'; index: string; table: string; unique: boolean }
  | { kind: 'drop index'; index: string }
  | { kind: 'block' }
)

const name = String.raw`(?:"(?:[^"]|"")+"|[a-z_]\w*)`
const createIndex = new RegExp(
  String.raw`^CREATE\s+(UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?!IF\b|ON\b)(${name})\s+ON\s+(${name})`,
  'i',
)
const dropIndex = new RegExp(String.raw`^DROP\s+INDEX\s+CONCURRENTLY\s+(?:IF\s+EXISTS\s+)?(${name})$`, 'i')

/**
 * The statements of a migration that runs outside of a transaction.
 * @throws Error for one that could not run again, or that nobody needs outside of a transaction
 */
export function readOutsideSteps({ sql }: Pick<Migration, 'sql'>): OutsideStep[] {
  return splitStatements(sql).map((statement): OutsideStep => {
    const { text } = statement
    const placed = { sql: atItsPlace(sql, statement) }
    const [, unique, created, table] = createIndex.exec(text) ?? []
    if (created !== undefined && table !== undefined)
      return { ...placed, kind: 'create index', index: created, table, unique: unique !== undefined }
    const dropped = dropIndex.exec(text)?.[1]
    if (dropped !== undefined) return { ...placed, kind: 'drop index', index: dropped }
    if (/^DO\b/i.test(text)) return { ...placed, kind: 'block' }
    throw new Error(
      `outside of a transaction there is CREATE INDEX CONCURRENTLY name ON table, DROP INDEX CONCURRENTLY name or DO alone, not: ${text.split('\n', 1)[0]}`,
    )
  })
}
