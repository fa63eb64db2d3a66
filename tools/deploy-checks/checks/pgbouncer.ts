import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { deployFolder, programEnvironment } from '../config.ts'
import type { DeployCheck } from '../deploy-check.ts'
import { renderMachine } from '../render-machine.ts'
import { askProgram } from '../run-program.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

/** Root may not run PgBouncer; `nobody` of every Linux does then. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const upWithinMs = 10_000

async function untilUp(child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + upWithinMs
  while (!output().includes('process up')) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`PgBouncer did not start: ${output()}`)
    await pause(50)
  }
  const complaints = output().match(/^.*\b(WARNING|ERROR|FATAL)\b.*$/gm)
  if (complaints) throw new Error(complaints.join('\n'))
}

/** Starts it for a moment, since it has no way to check a file alone. It listens on a socket in the folder only. */
async function startPgbouncer(file: string): Promise<void> {
  const child = spawn('pgbouncer', [file], { ...nobody, env: programEnvironment, stdio: 'pipe' })
  let output = ''
  const keep = (text: Buffer) => {
    output += text.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    await untilUp(child, () => output)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/** Before 1.21 the line about named statements is one that it does not know. */
async function knowsNamedStatements(): Promise<boolean> {
  const [, minor = '0'] = /PgBouncer 1\.(\d+)/.exec(await askProgram(['pgbouncer', '--version'])) ?? []
  return Number(minor) >= 21
}

/** A configuration with its places in this folder, which its user may read. */
async function checkPgbouncerFile(text: string, folder: string): Promise<void> {
  const users = join(folder, 'users.txt')
  const here = text
    .replace(/^auth_file = .*$/m, `auth_file = ${users}`)
    .replace(/^listen_port = .*$/m, 'listen_port = 0')
    .replace(/^unix_socket_dir =.*$/m, `unix_socket_dir = ${folder}`)
    .replace(/^pidfile = .*$/m, `pidfile = ${folder}/pid`)
    .replace(/^server_tls_ca_file = .*$/m, '')
    .replace(/^server_tls_sslmode = .*$/m, 'server_tls_sslmode = disable')
  const file = join(folder, 'pgbouncer.ini')
  const known = (await knowsNamedStatements()) ? here : here.replace(/^max_prepared_statements.*$/m, '')
  await writeFile(file, known)
  await writeFile(users, '"meridian_app" "secret"\n')
  if (nobody.uid !== undefined) await chown(folder, nobody.uid, nobody.gid)
  await Promise.all([chmod(file, 0o644), chmod(users, 0o644)])
  await startPgbouncer(file)
}

const checkPgbouncer = () =>
  inTemporaryFolder(async (folder) => {
    const rendered = await renderMachine('balancer', { folder: join(folder, 'rendered') })
    const files = [join(rendered, 'pgbouncer.ini'), join(deployFolder, 'compose/pgbouncer.ini')]
    for (const [index, file] of files.entries()) {
      const place = join(folder, `${index}`)
      await mkdir(place)
      await chmod(folder, 0o755)
      await checkPgbouncerFile(await readFile(file, 'utf8'), place)
    }
  })

/** PgBouncer of deploy/patroni and of Compose. */
export const pgbouncerChecks: readonly DeployCheck[] = [
  { name: 'PgBouncer starts with its configurations', programs: ['pgbouncer'], run: checkPgbouncer },
]
