import type { Pool } from 'pg'
import { mostWaitedMs, retryWhileBlocked } from './retry-while-blocked.ts'
import { startTimeLimit } from './time-limit.ts'

// Roles belong to the server: several databases of it may make the same one at once. 42710, 23505: somebody else made it
// just now. 42501: this user may not make roles; then its administrator does.
const createRoleSql = (role: string) => `
  DO $$ BEGIN
    CREATE ROLE ${role} NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN NULL;
  END $$`

const mostMs = 60_000

// PostgreSQL lets no two transactions grant rights on one object at once: the second fails (XX000, tuple concurrently
// updated) instead of waiting. Advisory locks are of one database, as these objects are.
const inTurn = `SELECT pg_advisory_xact_lock(hashtextextended('grant rights', 0))`

/**
 * Gives a role that cannot log in these rights, all or none; makes it where it is missing. Answers false where it does not
 * exist and this user may not make it: then nothing is granted.
 * @throws Error when others held the locks that it needs for a minute
 */
export const grantRights = (pool: Pool, role: string, rights: readonly string[]): Promise<boolean> =>
  retryWhileBlocked(() => grantOnce(pool, role, rights), {
    limit: startTimeLimit(mostMs),
    tell: () => undefined,
  })

async function grantOnce(pool: Pool, role: string, rights: readonly string[]): Promise<boolean> {
  const client = await pool.connect()
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
    if (rowCount === 0) await client.query(createRoleSql(role))
    const made = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
    if (made.rowCount === 0) return false
    const limit = `SET LOCAL lock_timeout = ${mostWaitedMs}`
    await client.query(['BEGIN', limit, inTurn, ...rights, 'COMMIT'].join(';\n'))
    return true
  } finally {
    client.release(true)
  }
}
