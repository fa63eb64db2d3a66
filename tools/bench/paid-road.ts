import { openPool, type Pool } from '@meridian/db'
import { shareConnections } from '../../apps/api/src/platform/limits/share-connections.ts'
import { config } from './config.ts'
import { fireAll, withLines } from './load.ts'
import { contender, medianRate, ratiosTo, takeTurns } from './measure.ts'
import { type DuePayment, duePayments, shotOf } from './notifications.ts'
import type { BenchWorld } from './open-world.ts'
import { type Delivery, deliveryOf, type NamedStatement, paidStatement } from './paid-statements.ts'
import { sharesText } from './processor-time.ts'
import { type Program, startApi, startBareServer } from './programs.ts'
import { type Line, rate } from './table.ts'

const perRound = 600
/** Requests in flight, over HTTP and in process alike. */
export const inFlight = 32
const connections = shareConnections(10, 'all').payments

/** Works through a list with so many in flight. */
export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  atOnce = inFlight,
): Promise<number> {
  const waiting = items.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of waiting) await work(item)
    }),
  )
  return items.length
}

type Batch = { http: DuePayment[]; deliveries: Delivery[]; statements: NamedStatement[] }

async function prepareBatch(world: BenchWorld): Promise<Batch> {
  const due = await duePayments(world, 3 * perRound)
  const deliveries = due.slice(perRound).map(({ signed }) => deliveryOf(world.services.payments, signed))
  return {
    http: due.slice(0, perRound),
    deliveries: deliveries.slice(0, perRound),
    statements: deliveries.slice(perRound).map((delivery) => paidStatement([delivery])),
  }
}

type Stage = { world: BenchWorld; api: Program; bare: Program; pool: Pool }

function contendersOn({ world, api, bare, pool }: Stage) {
  let batch: Batch = { http: [], deliveries: [], statements: [] }
  const fireAt = (port: number) =>
    withLines([port], inFlight, (lines) => fireAll(lines, batch.http.map(shotOf)))
  return {
    overHttp: contender(() => fireAt(api.port)),
    repeated: contender(() => fireAt(api.port)),
    verifiedOnly: contender(() => fireAt(bare.port)),
    inProcess: contender(() =>
      inParallel(batch.deliveries, ({ payment, arrival }) =>
        world.services.paymentGroups.apply(world.services.doors.payments.pool, payment, arrival),
      ),
    ),
    bareClient: contender(() => inParallel(batch.statements, (query) => pool.query(query))),
    prepare: async () => {
      batch = await prepareBatch(world)
    },
  }
}

/** The road of a paid notification: over HTTP, in process, its bare statements, and bare verification. */
export async function measurePaidRoad(world: BenchWorld): Promise<{ lines: Line[]; perSecond: number }> {
  const databaseUrl = world.environment['DATABASE_URL'] ?? ''
  const [api, bare] = await Promise.all([startApi(world), startBareServer(world)])
  const pool = openPool(databaseUrl, { maxConnections: connections })
  try {
    const { prepare, ...each } = contendersOn({ world, api, bare, pool })
    const { overHttp, repeated, verifiedOnly, inProcess, bareClient } = each
    const groups = [[overHttp, repeated, verifiedOnly], [inProcess], [bareClient]]
    const watched = { API: api.pid, PostgreSQL: world.postmaster, bare: bare.pid, generator: process.pid }
    await takeTurns({ rounds: config.rounds, groups, prepare, watched })
    console.log(`Notifications over HTTP use ${sharesText(overHttp.rounds.at(-1)?.cores ?? {})}.`)
    return { lines: linesOf(each), perSecond: medianRate(overHttp) }
  } finally {
    await Promise.all([api.stop(), bare.stop(), pool.end()])
  }
}

type Contenders = Omit<ReturnType<typeof contendersOn>, 'prepare'>

function linesOf({ overHttp, repeated, verifiedOnly, inProcess, bareClient }: Contenders): Line[] {
  const [statements, verifications] = [rate(medianRate(bareClient)), rate(medianRate(verifiedOnly))]
  return [
    {
      what: 'paid transition in process',
      figure: rate(medianRate(inProcess)),
      floor: `bare pg, same statements ${statements}`,
      ...ratiosTo(inProcess, [bareClient]),
      aim: { atLeast: 0.85 },
    },
    {
      what: 'notification over HTTP',
      figure: rate(medianRate(overHttp)),
      floor: `those statements, then bare verification ${verifications}`,
      ...ratiosTo(overHttp, [bareClient, verifiedOnly]),
      aim: { atLeast: 0.8 },
    },
    {
      what: 'repeated notification over HTTP',
      figure: rate(medianRate(repeated)),
      floor: `first delivery ${rate(medianRate(overHttp))}`,
      ...ratiosTo(repeated, [overHttp]),
      aim: { atLeast: 1.3 },
    },
  ]
}
