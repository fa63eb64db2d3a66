export type Comparison = { what: string; ours: number; floor: number; ratio: number }

const ROUNDS = 15
const ROUND_MS = 150

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/**
 * Runs both in turn, round by round, and compares each round with its neighbour: on a busy machine both are slowed
 * alike. The median of the rounds is what is told.
 */
export async function compare(what: string, run: { ours: Work; floor: Work }): Promise<Comparison> {
  const rounds: { ours: number; floor: number }[] = []
  await perSecond(run.ours, ROUND_MS)
  await perSecond(run.floor, ROUND_MS)
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ ours: await perSecond(run.ours, ROUND_MS), floor: await perSecond(run.floor, ROUND_MS) })
  }
  return {
    what,
    ours: median(rounds.map(({ ours }) => ours)),
    floor: median(rounds.map(({ floor }) => floor)),
    ratio: median(rounds.map(({ ours, floor }) => ours / floor)),
  }
}

/** Does the work some times over and says how often. */
export type Work = () => number | Promise<number>

/** Per second of processor time, of all threads: what others do on the machine counts for neither side. */
async function perSecond(work: Work, forMs: number): Promise<number> {
  const started = process.cpuUsage()
  let done = 0
  let elapsedMs = 0
  while (elapsedMs < forMs) {
    done += await work()
    const { user, system } = process.cpuUsage(started)
    elapsedMs = (user + system) / 1000
  }
  return (done / elapsedMs) * 1000
}

export const times = (count: number, step: () => unknown): Work => {
  return () => {
    for (let n = 0; n < count; n += 1) step()
    return count
  }
}

export function print({ what, ours, floor, ratio }: Comparison): void {
  const perSecondText = (value: number) => `${Math.round(value).toLocaleString('en').padStart(12)}/s`
  console.log(
    `${what.padEnd(22)} ${perSecondText(ours)}  floor ${perSecondText(floor)}  ratio ${ratio.toFixed(2)}`,
  )
}
