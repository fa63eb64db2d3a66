import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Cluster, clusterUser } from './cluster.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { handOver, makePrivateFolder } from './file-rights.ts'

const parameters = [
  `--username=${clusterUser}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  // PostgreSQL's own collation: the same everywhere, whatever locales the system has.
  '--no-locale',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
]

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
    ...flags,
  ])
  appendFileSync(join(unfinished, 'postgresql.conf'), "include_if_exists = 'meridian.conf'\n")
  renameSync(unfinished, cluster.folder)
  return true
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
