import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Cluster, clusterUser, EmbeddedPostgresError, withConnection } from './cluster.ts'
import { handOver, makePrivateFolder } from './cluster-files.ts'

const parameters = [`--username=${clusterUser}`, '--auth=scram-sha-256', '--encoding=UTF8']

// PostgreSQL's own collation: the same everywhere, whatever locales the system has. Before 17 it has none, and the
// system's of the same name sorts alike.
const builtinLocale = ['--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
const systemLocale = ['--locale=C.UTF-8']

/**
 * Makes the data directory when there is none. It gets its name only when complete, so a crash in the middle
 * leaves nothing that looks like a cluster.
 * @throws EmbeddedPostgresError with the last line of initdb
 */
export async function createClusterIfMissing(cluster: Cluster, flags: string[] = []): Promise<boolean> {
  if (existsSync(cluster.folder)) {
    if (existsSync(cluster.passwordFile)) return false
    throw new EmbeddedPostgresError(
      `The password file ${cluster.passwordFile} of an existing database is missing: put it back`,
    )
  }
  writePassword(cluster)
  const unfinished = `${cluster.folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  makePrivateFolder(unfinished, cluster.account)
  await runInitdb(cluster, [
    `--pgdata=${unfinished}`,
    `--pwfile=${cluster.passwordFile}`,
    ...parameters,
    ...((await majorVersion(cluster)) < 17 ? systemLocale : builtinLocale),
    ...flags,
  ])
  appendFileSync(join(unfinished, 'postgresql.conf'), "include_if_exists = 'meridian.conf'\n")
  renameSync(unfinished, cluster.folder)
  return true
}

async function majorVersion({ binaries }: Cluster): Promise<number> {
  const { stdout } = await promisify(execFile)(join(binaries, 'bin/postgres'), ['--version'], { cwd: '/' })
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1])
}

function writePassword({ passwordFile, account }: Cluster): void {
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  handOver(passwordFile, account)
}

async function runInitdb({ binaries, account }: Cluster, words: string[]): Promise<void> {
  const options = { ...account, cwd: '/', env: serverEnvironment() }
  await promisify(execFile)(join(binaries, 'bin/initdb'), words, options).catch((cause: unknown) => {
    throw new EmbeddedPostgresError(`initdb failed: ${reasonOf(cause)}`, { cause })
  })
}

/** The environment of PostgreSQL's programs: nothing of ours, so that no PG… variable misleads them. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stderr = 'stderr' in error ? String(error.stderr) : ''
  const lines = stderr.split('\n').filter((line) => line.includes('error') || line.includes('FATAL'))
  return lines[0]?.trim() ?? stderr.trim().split('\n').at(-1) ?? error.message
}

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
