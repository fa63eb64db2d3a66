import { spawn } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { claimPort } from '@meridian/process'
import { type Cluster, EmbeddedPostgresError } from './cluster.ts'
import { handOver } from './cluster-files.ts'
import { serverEnvironment } from './create-cluster.ts'
import { findPostmaster, type Postmaster, removeLeftover } from './postmaster.ts'

const startTimeoutMs = 60_000
const mostAttempts = 5

/**
 * Starts the server on this port of 127.0.0.1 and waits until it takes connections. It gets a session of its own,
 * so that a Ctrl-C meant for the program in front of it does not take the database away first.
 * @throws EmbeddedPostgresError with what the server's log says
 */
async function startServer(cluster: Cluster, port: number): Promise<Postmaster> {
  writeSettings(cluster, port)
  const patienceEnds = Date.now() + (cluster.startTimeoutMs ?? startTimeoutMs)
  let server = spawnServer(cluster)
  while (Date.now() < patienceEnds) {
    const found = findPostmaster(cluster.folder)
    if (found?.ready) return found
    if (server.ended) {
      const complaint = server.failure ?? lastComplaint(cluster.log)
      if (!isOccupied(complaint)) throw new EmbeddedPostgresError(`PostgreSQL did not start: ${complaint}`)
      await pause(100)
      server = spawnServer(cluster)
    }
    await pause(10)
  }
  throw new EmbeddedPostgresError(`PostgreSQL was not ready in time; its log is ${cluster.log}`)
}

/** The processes of a server that was killed outlive it by a moment, and until they are gone no other may start. */
const isOccupied = (complaint: string): boolean => complaint.includes('pre-existing shared memory block')

/**
 * Starts the server on this port, when it can be had, or else on another that is claimed for it until it listens.
 * @throws EmbeddedPostgresError as `startServer`
 */
export async function startOnFreePort(cluster: Cluster, wanted: number | null = null): Promise<Postmaster> {
  for (let attempt = 1; ; attempt += 1) {
    const claim = await claimFor(attempt === 1 ? wanted : null)
    try {
      return await startServer(cluster, claim.port)
    } catch (error) {
      if (attempt === mostAttempts || !isPortTaken(error)) throw error
    } finally {
      claim.release()
    }
  }
}

const claimFor = (wanted: number | null) =>
  wanted === null ? claimPort() : claimPort(wanted).catch(() => claimPort())

/** Somebody who insists on a number may take it between our claim and the server's start. */
function isPortTaken(error: unknown): boolean {
  return (
    error instanceof EmbeddedPostgresError && error.message.includes('could not create any TCP/IP sockets')
  )
}

type Spawned = { ended: boolean; failure: string | null }

function spawnServer({ binaries, folder, account, log }: Cluster): Spawned {
  removeLeftover(folder)
  if (existsSync(log)) renameSync(log, `${log}.previous`)
  const output = openSync(log, 'a', 0o600)
  const spawned: Spawned = { ended: false, failure: null }
  try {
    const child = spawn(join(binaries, 'bin/postgres'), ['-D', folder], {
      ...account,
      cwd: '/',
      env: serverEnvironment(),
      detached: true,
      stdio: ['ignore', output, output],
    })
    child.once('error', (error) => Object.assign(spawned, { ended: true, failure: error.message }))
    child.once('exit', () => Object.assign(spawned, { ended: true }))
    child.unref()
    return spawned
  } finally {
    closeSync(output)
  }
}

const longestLogBytes = 10 * 1024 * 1024

/** Begins the log anew once it is long: the server appends, so what it writes next stands at the beginning. */
export function rotateLog(log: string): void {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < longestLogBytes) return
  copyFileSync(log, `${log}.previous`)
  truncateSync(log)
}

function writeSettings({ folder, account, settings }: Cluster, port: number): void {
  const all: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    // A socket's path may have 107 characters at most, and nobody needs it.
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    max_connections: '200',
    // The log tells what went wrong and never whose row it was: no row, no statement, no value.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    ...settings,
  }
  const file = join(folder, 'meridian.conf')
  writeFileSync(
    file,
    Object.entries(all)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join(''),
    { mode: 0o600 },
  )
  handOver(file, account)
}

function lastComplaint(log: string): string {
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  const complaint =
    lines.findLast((line) => /FATAL|PANIC|error while loading/.test(line)) ?? lines.at(-1) ?? ''
  return `${complaint.replace(/^.*?(FATAL|PANIC):\s*/, '')} (log: ${log})`
}
