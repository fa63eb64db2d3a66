import { type ChildProcess, fork } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, Question } from './lane-words.ts'
import { checkout } from './source.ts'

export type Verdict = Answer | { timedOut: true }

export type Lane = {
  /** Asks one question at a time. A lane that does not answer in time is thrown away and opened anew. */
  ask: (question: Question, limitMs: number) => Promise<Verdict>
  close: () => void
}

/** What lanes print goes here. */
const folder = join(checkout, '.data', 'mutants')

function startLane(number: number): ChildProcess {
  mkdirSync(folder, { recursive: true })
  const log = openSync(join(folder, `lane-${number}.log`), 'a')
  const child = fork(join(import.meta.dirname, 'lane.ts'), {
    cwd: checkout,
    execArgv: ['--import', 'tsx'],
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  })
  closeSync(log)
  return child
}

/** The API's tests bundle its programs into a folder of the process that runs them. */
const bundles = join(checkout, 'node_modules/.cache/meridian-api-tests')

/** Ends a lane and all that it started; its database notices by itself. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL')
  rmSync(join(bundles, String(child.pid)), { recursive: true, force: true })
}

/** One question to a running lane; `gone` where the lane cannot be asked again. */
const askOnce = (child: ChildProcess, question: Question, limitMs: number) =>
  new Promise<{ verdict: Verdict; gone: boolean }>((resolve) => {
    const end = (verdict: Verdict, gone: boolean) => {
      clearTimeout(limit)
      child.off('message', heard).off('exit', ended)
      resolve({ verdict, gone })
    }
    const heard = (answer: Answer) => end(answer, answer.problem !== undefined)
    const ended = (code: number | null, signal: string | null) =>
      end({ failed: null, problem: `the lane ended with ${code ?? signal}` }, true)
    const limit = setTimeout(() => end({ timedOut: true }, true), limitMs)
    child.on('message', heard).on('exit', ended)
    child.send(question)
  })

export function openLane(number: number): Lane {
  let child: ChildProcess | null = null
  return {
    ask: async (question, limitMs) => {
      child ??= startLane(number)
      const { verdict, gone } = await askOnce(child, question, limitMs)
      if (gone) {
        kill(child)
        child = null
      }
      return verdict
    },
    close: () => {
      if (child?.connected) child.disconnect()
    },
  }
}
