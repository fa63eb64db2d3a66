import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenSocket } from './open-socket.ts'

export type ProgramStart = {
  /** What Node runs, with its arguments. */
  command: readonly string[]
  /** Its whole environment, beside what tells it its sockets. */
  env: Readonly<Record<string, string>>
  cwd?: string
  /** Handed over: the program listens there, and this process no more. */
  sockets?: Readonly<{ http?: OpenSocket; metrics?: OpenSocket }>
  /** Takes its output; without, the output is kept here. */
  logFile?: string
}

/** How a program ended. */
export type Ending = { code: number | null; signal: NodeJS.Signals | null }

export type Program = {
  process: ChildProcess
  /** Everything it wrote so far, stdout and stderr. */
  output: () => string
  /** Fulfilled when it has ended and all it wrote is here. */
  ended: Promise<Ending>
  hasEnded: () => boolean
  /** Asks it to end, and ends it where it does not. */
  stop: () => Promise<void>
  /** Ends it as a power cut does. */
  kill: () => Promise<void>
}

/** An API finishes what is under way within 25 s, a console within 20; after that nobody waits. */
const graceMs = 40_000
/** After its end somebody else may still hold its output open: what comes later than this is not its own. */
const lastWordsMs = 2_000

/** The channel to us closes however we end; the program then stops as if it had been asked to. */
const stopWithUs = `data:text/javascript,${encodeURIComponent(
  `process.channel?.unref(); process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))`,
)}`

/** Runs a Node program as a process of its own, which ends when this one does. */
export function spawnProgram({ command, env, cwd, sockets = {}, logFile }: ProgramStart): Program {
  const given = Object.entries(sockets)
  const log = logFile === undefined ? null : openSync(logFile, 'a', 0o600)
  const output = log ?? 'pipe'
  const child = spawn(process.execPath, ['--import', stopWithUs, ...command], {
    ...(cwd !== undefined && { cwd }),
    env: { ...env, ...(given.length > 0 && socketVariables(given.map(([name]) => name))) },
    stdio: ['ignore', output, output, ...given.map(([, { descriptor }]) => descriptor), 'ipc'],
  })
  if (log !== null) closeSync(log)
  for (const [, socket] of given) socket.close()
  const kept = logFile === undefined ? keepOutput(child) : () => readFileSync(logFile, 'utf8')
  const exit = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  const closed = once(child, 'close')
  const ended = exit.then(async (ending) => {
    await Promise.race([closed, pause(lastWordsMs, undefined, { ref: false })])
    return ending
  })
  // Nobody has to ask how it ended.
  ended.catch(() => undefined)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const endBy = async (signal: NodeJS.Signals) => {
    if (!hasEnded()) child.kill(signal)
    await ended
  }
  const stop = async () => {
    const killing = setTimeout(() => child.kill('SIGKILL'), graceMs)
    await endBy('SIGTERM').finally(() => clearTimeout(killing))
  }
  return { process: child, output: kept, ended, hasEnded, stop, kill: () => endBy('SIGKILL') }
}

/** As systemd tells them, but for the number of the process, which nobody knows before it runs. */
const socketVariables = (names: readonly string[]) => ({
  LISTEN_FDS: String(names.length),
  LISTEN_FDNAMES: names.join(':'),
})

function keepOutput({ stdout, stderr }: ChildProcess): () => string {
  let output = ''
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return () => output
}
