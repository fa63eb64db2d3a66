import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const checkout = fileURLToPath(new URL('../..', import.meta.url))

export type Running = {
  file: string
  /** Everything it wrote so far. */
  output: () => string
  stop: () => Promise<void>
  /** Ends it as a power cut does. */
  kill: () => Promise<void>
}
type Program = { file: string; env: Record<string, string>; ready: string }

const readyWithinMs = 60_000
const graceMs = 30_000

/** Only what a program needs from the shell: nobody's own settings may change what the tests see. */
const bareEnvironment = (): Record<string, string> => {
  const { PATH = '', HOME = '', TMPDIR, LANG } = process.env
  return { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...(LANG && { LANG }), NODE_ENV: 'production' }
}

/** Starts a production build and waits until it answers; it also stops when this process is killed. */
export async function startProgram({ file, env, ready }: Program): Promise<Running> {
  const watch = pathToFileURL(`${checkout}scripts/stop-with-parent.mjs`).href
  const child = spawn(process.execPath, ['--import', watch, `${checkout}${file}`], {
    cwd: checkout,
    env: { ...bareEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const stop = () => stopChild(child)
  try {
    await answers(child, ready)
  } catch (error) {
    await stop()
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}\n${output.slice(-20_000)}`)
  }
  return { file, output: () => output, stop, kill: () => endBy(child, 'SIGKILL') }
}

async function answers(child: ChildProcess, url: string): Promise<void> {
  const giveUpAt = Date.now() + readyWithinMs
  while (Date.now() < giveUpAt) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it has ended by itself')
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    await wait(100)
  }
  throw new Error(`nobody answers at ${url}`)
}

async function stopChild(child: ChildProcess): Promise<void> {
  const killing = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await endBy(child, 'SIGTERM')
  clearTimeout(killing)
}

async function endBy(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}

/** Runs a built command to its end and answers what it printed. */
export async function runToEnd(
  file: string,
  run: { args?: string[]; env: Record<string, string>; input?: string },
) {
  const child = spawn(process.execPath, [`${checkout}${file}`, ...(run.args ?? [])], {
    cwd: checkout,
    env: { ...bareEnvironment(), ...run.env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  child.stdin.end(run.input ?? '')
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${file} failed:\n${output}`)
  return output
}
