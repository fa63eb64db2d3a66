import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createConnection } from 'node:net'
import { scheduler } from 'node:timers/promises'
import { config } from './config.ts'

export type DaemonStart = {
  name: string
  command: readonly string[]
  env?: Readonly<Record<string, string>>
  logFile: string
  /** It runs when this TCP port of 127.0.0.1 takes a connection; without, as soon as it is started. */
  port?: number
}

/** A program that is not ours, which a drill kills, freezes and starts again. */
export type Daemon = {
  name: string
  start: () => Promise<void>
  kill: () => Promise<void>
  freeze: () => void
  thaw: () => void
}

const startsWithinMs = 20_000
const lookEveryMs = 50

export const asPostgres = (command: readonly string[]): string[] => [
  'setpriv',
  ...['--reuid=postgres', '--regid=postgres', '--clear-groups', '--'],
  ...command,
]

/** Runs a command of the machine to its end and answers what it printed. */
export const run = (file: string, ...args: readonly string[]): string =>
  execFileSync(file, args, { encoding: 'utf8' })

async function accepts(port: number): Promise<boolean> {
  const socket = createConnection({ port, host: '127.0.0.1' })
  const answered = once(socket, 'connect').then(
    () => true,
    () => false,
  )
  const accepted = await answered
  socket.destroy()
  return accepted
}

/** Waits until this holds. @throws Error when it does not within the time */
export async function until(what: string, withinMs: number, holds: () => Promise<boolean>): Promise<void> {
  for (const ends = Date.now() + withinMs; !(await holds()); await scheduler.wait(lookEveryMs))
    if (Date.now() > ends) throw new Error(`${what} did not come within ${withinMs / 1000} s`)
}

export function openDaemon({ name, command, env = {}, logFile, port }: DaemonStart): Daemon {
  let child: ChildProcess | null = null
  const start = async () => {
    const log = openSync(logFile, 'a')
    const [file = '', ...args] = command
    const started = spawn(file, args, {
      cwd: '/',
      env: { PATH: config.searchPath, HOME: config.home, LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    started.on('error', () => undefined)
    child = started
    if (port !== undefined) await until(`${name} (${logFile})`, startsWithinMs, () => accepts(port))
  }
  const kill = async () => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return {
    name,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
}
