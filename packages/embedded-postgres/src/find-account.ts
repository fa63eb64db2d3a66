import { execFileSync } from 'node:child_process'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** Whom the server runs as; null is ourselves. PostgreSQL refuses to run as root. */
export type Account = { uid: number; gid: number } | null

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * Whom root starts the server as: the system's `postgres`, else a user made for it, else `nobody`.
 * @throws EmbeddedPostgresError when the system has no user but root
 */
export function findAccount(): Account {
  if (!isRoot()) return null
  const account = lookUp('postgres') ?? lookUp('meridian') ?? createUser('meridian') ?? lookUp('nobody')
  if (account === null) {
    throw new EmbeddedPostgresError(
      'PostgreSQL refuses to run as root and there is no other user: create one called postgres',
    )
  }
  return account
}

function createUser(name: string): Account {
  // Debian and Red Hat, then BusyBox.
  const ways = [
    ['useradd', '--system', '--no-create-home', '--shell', '/bin/false', '--user-group', name],
    ['adduser', '-S', '-D', '-H', name],
  ]
  for (const [program = '', ...parameters] of ways) {
    if (output(program, parameters) !== null) return lookUp(name)
  }
  return null
}

function lookUp(name: string): Account {
  const [uid, gid] = [output('id', ['-u', name]), output('id', ['-g', name])]
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null
}

function output(program: string, parameters: string[]): string | null {
  try {
    return execFileSync(program, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return null
  }
}
