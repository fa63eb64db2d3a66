import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenSocket } from './ports.ts'

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

const readyWithinMs = 90_000
const lookEveryMs = 50
const shownLines = 40

/**
 * Starts a program and waits until this address of it answers well.
 * @throws Error with how it ended and its last lines, when it ends before, or is not ready within a minute and a half
 */
export async function startProgram({ ready, ...start }: ProgramStart & { ready: string }): Promise<Program> {
  const program = spawnProgram(start)
  const over = new AbortController()
  const early = program.ended.then(howItEnded, (error: unknown) => String(error))
  const late = pause(readyWithinMs, `was not ready within ${readyWithinMs / 1000} s`, { signal: over.signal })
  const failure = await Promise.race([early, late, untilReady(ready, over.signal)])
  over.abort()
  if (failure === null) return program
  await program.kill().catch(() => undefined)
  const name = start.command.join(' ')
  throw new Error(`${name} ${failure}. Its last lines:\n${lastLines(program.output())}`)
}

const howItEnded = ({ code, signal }: Ending): string =>
  `ended before it was ready (${signal ? `signal ${signal}` : `exit code ${code}`})`

/** Null when it answers well; never anything else. */
async function untilReady(url: string, signal: AbortSignal): Promise<null> {
  while (!signal.aborted) {
    const isReady = await fetch(url, { signal }).then(
      async (answer) => {
        await answer.body?.cancel()
        return answer.ok
      },
      () => false,
    )
    if (isReady) return null
    await pause(lookEveryMs, undefined, { signal }).catch(() => undefined)
  }
  return null
}

const lastLines = (output: string): string =>
  output.trim() === '' ? '(it wrote nothing)' : output.trimEnd().split('\n').slice(-shownLines).join('\n')

export type Result = { code: number | null; stdout: string; stderr: string }

type Run = Pick<ProgramStart, 'command' | 'env' | 'cwd'> & { input?: string }

/** Runs a Node program to its end, with this on its standard input, and answers what it wrote and its exit code. */
export async function runToEnd({ command, env, cwd, input = '' }: Run): Promise<Result> {
  const child = spawn(process.execPath, command, { ...(cwd !== undefined && { cwd }), env })
  // A program that ends without reading has closed its end of the pipe.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}
