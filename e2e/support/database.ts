import { askAt } from './ask-at.ts'
import { world } from './world.ts'

/** Runs one statement on the database itself, for what no screen can say or do. */
export const ask = <Row extends object>(statement: string, values: readonly (string | null)[] = []) =>
  askAt<Row>(world().databaseUrl, statement, values)

/** The one row of a statement that must find one. */
export async function askOne<Row extends object>(statement: string, ...subjects: string[]): Promise<Row> {
  const [row] = await ask<Row>(statement, subjects)
  if (row === undefined) throw new Error(`The database knows nothing of ${subjects}`)
  return row
}

/** Damage that no program can do, as after a restore: the triggers that refuse it are put to sleep. Never for time. */
export const rewrite = (statement: string) =>
  ask(`BEGIN; SET LOCAL session_replication_role = replica; ${statement}; COMMIT`)

/** How often an act stands in the audit log for a subject. */
export async function auditCount(action: string, subjectId: string): Promise<number> {
  const rows = await ask('SELECT FROM audit_entries WHERE action = $1 AND subject_id = $2', [
    action,
    subjectId,
  ])
  return rows.length
}

/** The highest frequency that a program may have. */
export const limitFrequency = (most: number) =>
  ask(
    `UPDATE settings SET value = jsonb_set(value, '{frequency_hz,max}', to_jsonb($1::int)) WHERE key = 'program_bounds'`,
    [String(most)],
  )
