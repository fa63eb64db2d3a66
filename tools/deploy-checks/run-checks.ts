import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { programEnvironment } from './config.ts'
import type { DeployCheck } from './deploy-check.ts'
import { runToEnd } from './run-program.ts'

/** What became of a check: `reason` is what the program said, or that it is missing. */
export type Outcome = { name: string } & (
  | { verdict: 'passed' }
  | { verdict: 'failed' | 'not done'; reason: string }
)

/** Whether a program, or one at a path, is on this machine; of two words the second is a part that may be missing, as `docker compose`. */
export async function hasProgram(program: string): Promise<boolean> {
  const [file = '', part] = program.split(' ')
  const folders = programEnvironment.PATH.split(':').filter(Boolean)
  const places = isAbsolute(file) ? [file] : folders.map((folder) => join(folder, file))
  const found = await Promise.all(
    places.map((place) =>
      access(place, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  )
  if (!found.includes(true)) return false
  return part === undefined || (await runToEnd([file, part, 'version'])).code === 0
}

/** Looks once; a program that is missing is said to be, so that nobody takes the check for passed. */
export async function runCheck(check: DeployCheck, has = hasProgram): Promise<Outcome> {
  const { name, programs } = check
  for (const program of programs)
    if (!(await has(program))) return { name, verdict: 'not done', reason: `${program} is missing` }
  try {
    await check.run()
    return { name, verdict: 'passed' }
  } catch (error) {
    return { name, verdict: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

const signs = { passed: '✔', failed: '✖', 'not done': '–' } as const

/** One line for each, and what was said below those that failed. */
export const describeOutcome = (outcome: Outcome): string => {
  const { name, verdict } = outcome
  if (outcome.verdict === 'passed') return `${signs[verdict]} ${name}`
  if (outcome.verdict === 'not done') return `${signs[verdict]} ${name}: NOT DONE: ${outcome.reason}`
  return `${signs[verdict]} ${name}\n${outcome.reason.replaceAll(/^/gm, '    ')}`
}

/** The last line: what `npm run test:deep` counts. What was not done is in neither number. */
export function summarise(outcomes: readonly Outcome[]): string {
  const count = (wanted: Outcome['verdict']) => outcomes.filter(({ verdict }) => verdict === wanted).length
  return `${count('not done')} not done, ${count('passed')} passed, ${count('failed')} failed`
}
