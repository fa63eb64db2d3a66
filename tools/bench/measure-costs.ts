import { median } from './measure.ts'

/** What one thing costs, in the middle of its runs; or why it was not measured. */
export type Figure = { ms: number } | { reason: string }

export type Run = () => Promise<unknown>

/** One run, made again and again, or runs of which each is made once; the figure is of each of the things that one does. */
export type Opened = ({ run: Run } | { runs: readonly Run[] }) & {
  things?: number
  close?: () => Promise<unknown>
}

/** Makes what the runs need, outside their time. */
export type Cost = () => Promise<Opened>

const mostRuns = 41
const leastRuns = 3
const enoughMs = 2000
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function timeOf(run: Run): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

/** The first run only warms up; what takes long is not run often. */
async function timesAgain(run: Run): Promise<number[]> {
  const times: number[] = []
  let spent = await timeOf(run)
  while (times.length < mostRuns && (times.length < leastRuns || spent < enoughMs)) {
    const took = await timeOf(run)
    times.push(took)
    spent += took
  }
  return times
}

async function timesOf(opened: Opened): Promise<number[]> {
  if ('run' in opened) return timesAgain(opened.run)
  const times: number[] = []
  for (const run of opened.runs) times.push(await timeOf(run))
  return times
}

async function figureOf(cost: Cost): Promise<Figure> {
  try {
    const opened = await cost()
    try {
      return { ms: median(await timesOf(opened)) / (opened.things ?? 1) }
    } finally {
      await opened.close?.()
    }
  } catch (error) {
    return { reason: reasonOf(error) }
  }
}

/** The figures of all costs; one that fails or is refused is a reason, and the others go on. */
export async function measureCosts(
  costs: Readonly<Record<string, Cost>>,
  tell: (name: string, figure: Figure) => void = () => undefined,
): Promise<Map<string, Figure>> {
  const figures = new Map<string, Figure>()
  for (const [name, cost] of Object.entries(costs)) {
    const figure = await figureOf(cost)
    figures.set(name, figure)
    tell(name, figure)
  }
  return figures
}
