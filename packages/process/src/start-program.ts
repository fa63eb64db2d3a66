import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type Ending, type Program, type ProgramStart, spawnProgram } from './spawn-program.ts'

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
