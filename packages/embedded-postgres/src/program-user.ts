import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { withConnection } from './cluster.ts'

/** As whom the API and the workers use a database of ours: a member of the runtime role, not the owner. */
const programUser = 'meridian_app'

/** The same database as the programs' own user. */
export function asProgramUser(ownerUrl: string, password: string): string {
  const address = new URL(ownerUrl)
  address.username = programUser
  address.password = password
  return address.href
}

/**
 * Makes the programs' user of this server where it is missing, a member of this role, and gives it this password.
 */
export async function createProgramUser(
  ownerUrl: string,
  { memberOf, password }: { memberOf: string; password: string },
): Promise<void> {
  await withConnection(ownerUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock(4919202613)')
    for (const name of [memberOf, programUser]) {
      const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name])
      if (rowCount === 0) await client.query(`CREATE ROLE ${name} NOLOGIN`)
    }
    const secret = client.escapeLiteral(password)
    await client.query(`ALTER ROLE ${programUser} LOGIN PASSWORD ${secret} CONNECTION LIMIT 150`)
    await client.query(`GRANT ${memberOf} TO ${programUser}`)
  })
}

/** The password in this file; a file that is missing is written with a new one. */
export function keptPassword(file: string): string {
  if (!existsSync(file)) {
    const unfinished = `${file}.${process.pid}`
    writeFileSync(unfinished, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
    renameSync(unfinished, file)
  }
  return readFileSync(file, 'utf8').trim()
}
