import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { ProgramStart } from './spawn-program.ts'

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
