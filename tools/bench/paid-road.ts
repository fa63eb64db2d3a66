import { openPool, type Pool } from '@meridian/db'
import { type Arrival, applyPayment } from '../../apps/api/src/payments/apply-payment.ts'
import { doorBudgets } from '../../apps/api/src/platform/limits/open-doors.ts'
import { config } from './config.ts'
import { fireAll, withLines } from './load.ts'
import { contender, medianRate, ratiosTo, takeTurns } from './measure.ts'
import { type DuePayment, duePayments, shotOf } from './notifications.ts'
import type { BenchWorld } from './open-world.ts'
import { sharesText } from './processor-time.ts'
import { type Program, startApi, startBareServer } from './programs.ts'
import { type Line, rate } from './table.ts'

const perRound = 600
/** Requests in flight, over HTTP and in process alike. */
export const inFlight = 32
const { connections } = doorBudgets.payments

type Query = { name?: string; text: string; values: unknown[] }

type Delivery = { payment: Parameters<typeof applyPayment>[1]; arrival: Arrival }

/** What the notification door hands to the paid transition. */
function deliveryOf({ services: { payments } }: BenchWorld, { signed }: DuePayment): Delivery {
  const notification = payments?.readNotification(signed)
  if (notification?.kind !== 'payment') throw new Error('not a payment')
  const delivery = { ...signed, notification }
  return {
    payment: notification.payment,
    arrival: { confirmedBy: 'notification', requestId: notification.id, delivery },
  }
}

/** The very statements that the paid transition sends for this payment, seen by a pool that only listens. */
async function statementsOf(listener: Pool, { payment, arrival }: Delivery): Promise<Query[]> {
  const seen: Query[] = []
  const { amountFen, currency, appId, mchId, payerOpenid } = payment
  const terms = { amountFen, currency, appId, mchId, payerOpenid, transactionId: null }
  const query = async (sent: Query) => {
    seen.push(sent)
    return { rows: seen.length === 1 ? [terms] : [{ outcome: 'applied' }] }
  }
  await applyPayment(Object.assign(listener, { query }), payment, arrival)
  return seen
}

/** Works through a list with so many in flight. */
export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<number> {
  const waiting = items.values()
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (const item of waiting) await work(item)
    }),
  )
  return items.length
}

type Batch = { http: DuePayment[]; deliveries: Delivery[]; statements: Query[][] }

async function prepareBatch(world: BenchWorld, listener: Pool): Promise<Batch> {
  const due = await duePayments(world, 3 * perRound)
  const deliveries = due.slice(perRound).map((payment) => deliveryOf(world, payment))
  const statements: Query[][] = []
  // One after the other: the listener hears one payment at a time.
  for (const delivery of deliveries.slice(perRound)) statements.push(await statementsOf(listener, delivery))
  return { http: due.slice(0, perRound), deliveries: deliveries.slice(0, perRound), statements }
}

type Stage = { world: BenchWorld; api: Program; bare: Program; pool: Pool; listener: Pool }

function contendersOn({ world, api, bare, pool, listener }: Stage) {
  let batch: Batch = { http: [], deliveries: [], statements: [] }
  const fireAt = (port: number) =>
    withLines([port], inFlight, (lines) => fireAll(lines, batch.http.map(shotOf)))
  return {
    overHttp: contender(() => fireAt(api.port)),
    repeated: contender(() => fireAt(api.port)),
    verifiedOnly: contender(() => fireAt(bare.port)),
    inProcess: contender(() =>
      inParallel(batch.deliveries, ({ payment, arrival }) =>
        applyPayment(world.services.doors.payments.pool, payment, arrival),
      ),
    ),
    bareClient: contender(() =>
      inParallel(batch.statements, async (queries) => {
        for (const query of queries) await pool.query(query)
      }),
    ),
    prepare: async () => {
      batch = await prepareBatch(world, listener)
    },
  }
}

/** The road of a paid notification: over HTTP, in process, its bare statements, and bare verification. */
export async function measurePaidRoad(world: BenchWorld): Promise<{ lines: Line[]; perSecond: number }> {
  const databaseUrl = world.environment['DATABASE_URL'] ?? ''
  const [api, bare] = await Promise.all([startApi(world), startBareServer(world)])
  const pool = openPool(databaseUrl, { maxConnections: connections })
  const listener = openPool(databaseUrl)
  try {
    const { prepare, ...each } = contendersOn({ world, api, bare, pool, listener })
    const { overHttp, repeated, verifiedOnly, inProcess, bareClient } = each
    const groups = [[overHttp, repeated, verifiedOnly], [inProcess], [bareClient]]
    const watched = { API: api.pid, PostgreSQL: world.postmaster, bare: bare.pid, generator: process.pid }
    await takeTurns({ rounds: config.rounds, groups, prepare, watched })
    console.log(`Notifications over HTTP use ${sharesText(overHttp.rounds.at(-1)?.cores ?? {})}.`)
    return { lines: linesOf(each), perSecond: medianRate(overHttp) }
  } finally {
    await Promise.all([api.stop(), bare.stop(), pool.end(), listener.end()])
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
