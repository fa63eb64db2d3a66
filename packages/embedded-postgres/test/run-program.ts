import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type Program = {
  pid: number
  databaseUrl: string
  startedHere: boolean
  /** Lets it end in order. */
  finish(): Promise<void>
  /** Ends it so that it cannot do anything about it. */
  kill(): Promise<void>
}

/** Starts one of test/programs in a process group of its own and waits for its first line. */
export async function runProgram(name: string, words: string[] = []): Promise<Program> {
  const file = join(import.meta.dirname, 'programs', `${name}.ts`)
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...words], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  const line = await Promise.race([firstLine(child.stdout), gone.then(() => '')])
  const answer: Pick<Program, 'databaseUrl' | 'startedHere'> = JSON.parse(line)
  return {
    ...answer,
    pid: child.pid ?? 0,
    async finish() {
      child.stdin.end()
      await gone
    },
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stream })) return line
  return ''
}
