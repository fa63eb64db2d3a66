import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { inCheckout } from './checkout.mjs'
import { interruption } from './interruption.mjs'
import { rememberGroup, signalGroup } from './run-command.mjs'

// An API drains for 5 s and finishes its requests and jobs within 25 s; after that nobody waits.
const graceMs = 35_000
const keptLines = 15

/**
 * @typedef {object} ProgramStart
 * @property {string} name
 * @property {readonly [string, ...string[]]} command a file that Node runs, and its arguments
 * @property {NodeJS.ProcessEnv} env
 * @property {string} [cwd]
 * @property {string} [logFile] takes its output; without, the output is shown as it comes
 * @property {(line: string) => void} [onLine]
 */

/** @typedef {ReturnType<typeof startProgram>} RunningProgram */

/**
 * Starts a long-running program in a process group of its own, so that Ctrl-C in the terminal reaches it
 * through `stop` alone, in the order its starter chooses.
 * @param {ProgramStart} start
 */
export function startProgram(start) {
  const watch = pathToFileURL(inCheckout('scripts', 'stop-with-parent.mjs')).href
  const output = start.logFile === undefined ? 'inherit' : 'pipe'
  const child = spawn(process.execPath, ['--import', watch, ...start.command], {
    cwd: start.cwd ?? inCheckout('.'),
    env: start.env,
    detached: true,
    stdio: [start.logFile === undefined ? 'inherit' : 'ignore', output, output, 'ipc'],
  })
  rememberGroup(child)
  const lastLines = keepLines(child, start)
  /** @type {Promise<number>} */
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)))
  })

  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    const group = child.pid
    child.kill('SIGTERM')
    const killing = setTimeout(() => signalGroup(group, 'SIGKILL'), graceMs)
    await ended
    clearTimeout(killing)
    signalGroup(group, 'SIGKILL')
  }

  return { name: start.name, ended, stop, lastLines, untilEnded: () => untilEnded(ended, stop) }
}

/**
 * @param {Promise<number>} ended
 * @param {() => Promise<void>} stop
 */
async function untilEnded(ended, stop) {
  const onAbort = () => void stop()
  if (interruption.aborted) onAbort()
  else interruption.addEventListener('abort', onAbort, { once: true })
  return ended
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {ProgramStart} start
 */
function keepLines(child, start) {
  /** @type {string[]} */
  const lines = []
  const log =
    start.logFile === undefined ? null : createWriteStream(start.logFile, { flags: 'a', mode: 0o600 })
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) => {
      log?.write(`${line}\n`)
      lines.push(line)
      if (lines.length > keptLines) lines.shift()
      start.onLine?.(line)
    })
  }
  child.once('close', () => log?.end())
  return lines
}
