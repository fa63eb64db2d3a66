import { config } from './config.ts'
import { fireAll, withLines } from './load.ts'
import { contender, medianRate, ratiosTo, takeTurns } from './measure.ts'
import { duePayments, shotOf } from './notifications.ts'
import type { BenchWorld } from './open-world.ts'
import { startApi } from './programs.ts'
import { type Line, rate } from './table.ts'

const perRound = 900
const slowMs = 5
/** As many as two full groups take: with fewer the wait for an answer is measured, and not what can be committed. */
const inFlight = 64

/** The same database over connections of which every commit waits so long before it is written. */
function slowly(url: string): string {
  const address = new URL(url)
  address.searchParams.set('options', `-c commit_delay=${slowMs * 1000} -c commit_siblings=0`)
  return address.href
}

/** Notifications while commits are slow, as over a network disk or to a standby that is far, beside quick ones. */
export async function measureSlowCommits(world: BenchWorld): Promise<Line[]> {
  const url = slowly(world.environment['DATABASE_URL'] ?? '')
  const [quick, slow] = await Promise.all([startApi(world), startApi(world, { DATABASE_URL: url })])
  let shots: Buffer[] = []
  const fireAt = (port: number) =>
    contender(() => withLines([port], inFlight, (lines) => fireAll(lines, shots.splice(0, perRound))))
  const [quickly, slowed] = [fireAt(quick.port), fireAt(slow.port)]
  try {
    await takeTurns({
      rounds: config.rounds,
      groups: [[quickly], [slowed]],
      watched: {
        API: quick.pid,
        'slow API': slow.pid,
        PostgreSQL: world.postmaster,
        generator: process.pid,
      },
      prepare: async () => {
        shots = (await duePayments(world, 2 * perRound)).map(shotOf)
      },
    })
    return [
      {
        what: `notification over HTTP, each commit ${slowMs} ms slow`,
        figure: rate(medianRate(slowed)),
        floor: `quick commits ${rate(medianRate(quickly))}`,
        ...ratiosTo(slowed, [quickly]),
        aim: { atLeast: 0.85 },
      },
    ]
  } finally {
    await Promise.all([quick.stop(), slow.stop()])
  }
}
