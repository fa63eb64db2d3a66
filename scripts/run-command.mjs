import { spawn } from 'node:child_process'
import { interruption } from './interruption.mjs'

const graceMs = 10_000
const keptCharacters = 200_000
/** @type {Set<number>} */
const livingGroups = new Set()

/** @param {number} group @param {NodeJS.Signals} signal */
export function signalGroup(group, signal) {
  try {
    process.kill(-group, signal)
  } catch {
    // It has ended in the meantime.
  }
}

/** For the reader who has asked twice. */
export function killEverything() {
  for (const group of livingGroups) signalGroup(group, 'SIGKILL')
}

/** @param {import('node:child_process').ChildProcess} child */
export function rememberGroup(child) {
  const group = child.pid
  if (group === undefined) return
  livingGroups.add(group)
  child.once('exit', () => livingGroups.delete(group))
}

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {'show' | 'keep'} [output] shown as it comes, or kept for the caller (the default)
 * @property {string} [input] written to its standard input
 */

/**
 * Runs a command to its end, in a process group of its own: an interruption reaches it and all it started
 * once, in order, whoever else the terminal signals.
 * @param {readonly [string, ...string[]]} command
 * @param {CommandOptions} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function runCommand(command, options = {}) {
  interruption.throwIfAborted()
  const [file, ...args] = command
  const pipe = options.output === 'show' ? 'inherit' : 'pipe'
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    detached: true,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', pipe, pipe],
  })
  rememberGroup(child)
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(options.input)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-keptCharacters)
    })
  }
  const code = await untilEnded(child)
  interruption.throwIfAborted()
  return { code, output }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
function untilEnded(child) {
  return new Promise((resolve, reject) => {
    /** @type {NodeJS.Timeout | undefined} */
    let killing
    const stop = () => {
      if (child.pid === undefined) return
      const group = child.pid
      signalGroup(group, 'SIGTERM')
      killing = setTimeout(() => signalGroup(group, 'SIGKILL'), graceMs)
    }
    interruption.addEventListener('abort', stop, { once: true })
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(killing)
      interruption.removeEventListener('abort', stop)
      resolve(code ?? 1)
    })
  })
}
