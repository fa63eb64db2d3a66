import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { dataFolder } from './checkout.mjs'
import { interruption } from './interruption.mjs'
import { Refusal } from './refusal.mjs'
import { say } from './show-progress.mjs'
import { startProgram } from './supervise-program.mjs'

const lookEveryMs = 100
const patienceMs = 60_000
const problems = new Set([40, 50, 60, 'warn', 'error', 'fatal'])

/** @typedef {import('./supervise-program.mjs').RunningProgram} RunningProgram */
/** @typedef {Omit<import('./supervise-program.mjs').ProgramStart, 'logFile' | 'onLine'> & { ready: string }} LoggedProgram */

/**
 * Starts a program whose output goes to a log file, its warnings also to the terminal, and waits until its
 * address answers.
 * @param {LoggedProgram} program
 * @param {RunningProgram[]} running
 */
export async function startLoggedProgram({ ready, ...program }, running) {
  mkdirSync(join(dataFolder, 'logs'), { recursive: true })
  const logFile = join(dataFolder, 'logs', `${program.name}.log`)
  if (existsSync(logFile)) renameSync(logFile, join(dataFolder, 'logs', `${program.name}.previous.log`))
  const started = startProgram({ ...program, logFile, onLine: (line) => showProblem(program.name, line) })
  running.push(started)
  const outcome = await Promise.race([answers(ready), started.ended.then(() => 'ended')])
  if (outcome === 'ready') return
  const what = outcome === 'ended' ? 'could not start' : `did not get ready within ${patienceMs / 1000} s`
  const lines = started.lastLines.map((line) => `  ${line}`).join('\n')
  throw new Refusal(`The ${program.name} ${what}. Its last lines (${logFile}):\n${lines}`)
}

/** @param {string} url @returns {Promise<'ready' | 'late'>} */
async function answers(url) {
  const giveUpAt = performance.now() + patienceMs
  while (performance.now() < giveUpAt) {
    interruption.throwIfAborted()
    const ok = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return 'ready'
    await wait(lookEveryMs)
  }
  return 'late'
}

/** @param {string} name @param {string} line */
function showProblem(name, line) {
  if (!line.startsWith('{')) return
  try {
    const { level, msg, message, code } = JSON.parse(line)
    if (problems.has(level)) say(`[${name}] ${[msg ?? message, code].filter(Boolean).join(' – ')}`)
  } catch {
    // Not a log line.
  }
}
