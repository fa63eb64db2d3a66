import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { claimPort } from '@meridian/process'
import { canConnect, EmbeddedPostgresError, findAccount } from './cluster.ts'
import { handOver } from './cluster-files.ts'
import { startGuard } from './guard.ts'

// It keeps nothing, and SIGTERM would make PgBouncer 1.23 and newer wait for their clients.
const script = `
home="$1"
shift
"$@" > "$home/output" 2>&1 &
pooler=$!
cat > /dev/null
kill -KILL "$pooler" 2> /dev/null
wait "$pooler" 2> /dev/null
rm -rf "$home"
`

/** `program` is the path of PgBouncer; clients log in as one of the users, whose passwords it knows. */
export type PoolerOptions = {
  program: string
  serverUrl: string
  users: readonly { name: string; password: string }[]
}

export type ThrowawayPooler = {
  /** Leads to the same databases as the server's port. */
  port: number
  /** Its files: `settings`, `users`, `output`. */
  home: string
  stop(): Promise<void>
}

const startTimeoutMs = 20_000

type Written = PoolerOptions & { port: number }

const settingsFor = (home: string, { serverUrl, port }: Written) => {
  const { hostname, port: serverPort } = new URL(serverUrl)
  return `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = md5
auth_file = ${join(home, 'users')}
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 40
server_login_retry = 1
query_wait_timeout = 3
server_idle_timeout = 20
log_connections = 0
log_disconnections = 0
log_stats = 0
`
}

/** Answers the words that make it run as whoever may read the files: it refuses to run as root. */
function writeFiles(home: string, options: Written): string[] {
  const account = findAccount()
  const files = {
    settings: settingsFor(home, options),
    users: options.users.map(({ name, password }) => `"${name}" "${password}"\n`).join(''),
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(home, name), text, { mode: 0o600 })
    handOver(join(home, name), account)
  }
  handOver(home, account)
  return account ? ['-u', execFileSync('id', ['-nu', `${account.uid}`], { encoding: 'utf8' }).trim()] : []
}

/**
 * PgBouncer in transaction mode in front of every database of a server, otherwise with its own defaults. It is gone with
 * its files when this process ends, however it ends.
 * @throws EmbeddedPostgresError with what it says, where it does not start
 */
export async function startThrowawayPooler(options: PoolerOptions): Promise<ThrowawayPooler> {
  const home = mkdtempSync(join(tmpdir(), 'meridian-pooler-'))
  const claim = await claimPort()
  const asUser = writeFiles(home, { ...options, port: claim.port })
  const guard = startGuard(script, [home, options.program, ...asUser, join(home, 'settings')])
  try {
    await untilAnswers(options, claim.port, join(home, 'output'))
    return { port: claim.port, home, stop: guard.cleanUp }
  } catch (error) {
    await guard.cleanUp()
    throw error
  } finally {
    claim.release()
  }
}

/** The same address on another port of this machine. */
export function atPort(databaseUrl: string, port: number): string {
  const address = new URL(databaseUrl)
  address.hostname = '127.0.0.1'
  address.port = String(port)
  return address.href
}

async function untilAnswers(
  { program, serverUrl }: PoolerOptions,
  port: number,
  output: string,
): Promise<void> {
  const said = () => (existsSync(output) ? readFileSync(output, 'utf8').trim() : '')
  for (const endsAt = performance.now() + startTimeoutMs; performance.now() < endsAt; await pause(50)) {
    if (await canConnect(atPort(serverUrl, port))) return
    if (/FATAL|not found|denied/.test(said())) break
  }
  throw new EmbeddedPostgresError(`${program} did not start: ${said().split('\n').at(-1)}`)
}
