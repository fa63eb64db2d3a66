import { config } from './config.ts'
import { fireAll, fireSteadily, withLines } from './load.ts'
import { contender, median, medianRate, quantile, ratiosTo, takeTurns } from './measure.ts'
import { duePayments, shotOf } from './notifications.ts'
import type { BenchWorld } from './open-world.ts'
import { inFlight } from './paid-road.ts'
import { residentBytes, sharesText } from './processor-time.ts'
import { startApi } from './programs.ts'
import { type Line, megabytes, milliseconds, rate } from './table.ts'

const steadySeconds = 8
const perRound = 600

/** How long notifications take at half of the rate that was the highest. */
export async function measureLatency(world: BenchWorld, highestPerSecond: number): Promise<Line[]> {
  const api = await startApi(world)
  try {
    const perSecond = highestPerSecond / 2
    const warmUp = (await duePayments(world, perRound)).map(shotOf)
    const shots = (await duePayments(world, Math.ceil(perSecond * steadySeconds))).map(shotOf)
    const latencies = await withLines([api.port], inFlight, async (lines) => {
      await fireAll(lines, warmUp)
      return fireSteadily(lines, shots, perSecond)
    })
    return [
      {
        what: `p99 of a notification at ${rate(perSecond)}`,
        figure: milliseconds(quantile(latencies, 0.99)),
        floor: `median ${milliseconds(median(latencies))}; 100 ms`,
        ratio: quantile(latencies, 0.99) / 100,
        aim: { atMost: 1 },
      },
    ]
  } finally {
    await api.stop()
  }
}

/** One API process and two, on the cores that PostgreSQL and the generator use too. */
export async function measureProcesses(world: BenchWorld): Promise<Line[]> {
  const [first, second] = await Promise.all([startApi(world), startApi(world)])
  let shots: Buffer[] = []
  const fireAt = (...ports: number[]) =>
    contender(() => withLines(ports, inFlight, (lines) => fireAll(lines, shots.splice(0, perRound))))
  try {
    const [one, two] = [fireAt(first.port), fireAt(first.port, second.port)]
    await takeTurns({
      rounds: config.rounds,
      groups: [[one], [two]],
      watched: {
        API: first.pid,
        'second API': second.pid,
        PostgreSQL: world.postmaster,
        generator: process.pid,
      },
      prepare: async () => {
        shots = (await duePayments(world, 2 * perRound)).map(shotOf)
      },
    })
    return [
      {
        what: 'two API processes',
        figure: rate(medianRate(two)),
        floor: `one ${rate(medianRate(one))}; ${sharesText(two.rounds.at(-1)?.cores ?? {})}`,
        ...ratiosTo(two, [one]),
        aim: null,
      },
    ]
  } finally {
    await Promise.all([first.stop(), second.stop()])
  }
}

const settledAfter = 10_000
/** How often each notification of the long run comes: the platform repeats, and signing is dear. */
const copies = 10

/** What a fresh API process holds in memory after ten thousand notifications and after very many. */
export async function measureMemory(world: BenchWorld): Promise<Line[]> {
  const api = await startApi(world)
  const deliver = async (count: number) => {
    for (let delivered = 0; delivered < count; delivered += perRound * copies) {
      const shots = (await duePayments(world, perRound)).map(shotOf)
      await withLines([api.port], inFlight, (lines) =>
        fireAll(lines, Array.from({ length: copies }, () => shots).flat()),
      )
    }
    return residentBytes(api.pid)
  }
  try {
    const early = await deliver(settledAfter)
    const late = await deliver(config.memoryNotifications - settledAfter)
    return [
      {
        what: `memory after ${config.memoryNotifications.toLocaleString('en')} notifications`,
        figure: megabytes(late),
        floor: `after ${settledAfter.toLocaleString('en')}: ${megabytes(early)}`,
        ratio: late / early,
        aim: { atMost: 1.2 },
      },
    ]
  } finally {
    await api.stop()
  }
}
