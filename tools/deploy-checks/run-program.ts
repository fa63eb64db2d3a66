import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { programEnvironment } from './config.ts'

/** How a program is run: where, with what beside the usual environment, and what it reads. */
export type RunOptions = {
  cwd?: string
  env?: Readonly<Record<string, string>>
  /** Written to its standard input. */
  input?: string
}

/** A check that takes longer is stuck. */
const withinMs = 120_000

/** Runs a program to its end; answers its exit code, null after a signal, and all it wrote. */
export async function runToEnd(command: readonly [string, ...string[]], options: RunOptions = {}) {
  const [file, ...args] = command
  const child = spawn(file, args, {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: { ...programEnvironment, ...options.env },
    stdio: 'pipe',
    timeout: withinMs,
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code: typeof code === 'number' ? code : null, stdout, stderr }
}

/**
 * Runs a program that must end well; answers its standard output.
 * @throws Error with everything it wrote, when it does not
 */
export async function askProgram(
  command: readonly [string, ...string[]],
  options: RunOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(command, options)
  if (code === 0) return stdout
  throw new Error(`${command[0]} ended with ${code}: ${`${stderr}${stdout}`.trim()}`)
}
