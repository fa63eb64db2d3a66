export type Comparison = { what: string; ours: number; floor: number; unit: string }

const ROUNDS = 7
const ROUND_MS = 250

/** Runs both in turn, round by round, so that a busy machine slows both; the best round of each counts. */
export async function compare(what: string, run: { ours: Work; floor: Work }): Promise<Comparison> {
  const best = { ours: 0, floor: 0 }
  await perSecond(run.ours, ROUND_MS)
  await perSecond(run.floor, ROUND_MS)
  for (let round = 0; round < ROUNDS; round += 1) {
    best.ours = Math.max(best.ours, await perSecond(run.ours, ROUND_MS))
    best.floor = Math.max(best.floor, await perSecond(run.floor, ROUND_MS))
  }
  return { what, ...best, unit: '/s' }
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

export function print({ what, ours, floor, unit }: Comparison): void {
  const round = (value: number) => Math.round(value).toLocaleString('en')
  const ratio = (ours / floor).toFixed(2)
  console.log(
    `${what.padEnd(34)} ${round(ours).padStart(12)}${unit}  floor ${round(floor).padStart(12)}${unit}  ratio ${ratio}`,
  )
}
