import { randomUUID } from 'node:crypto'
import { openPool, type Pool } from '@meridian/db'
import { systemRuntime } from '@meridian/payments'
import { pino } from 'pino'
import { readConfig } from '../../apps/api/src/config.ts'
import { applyPayment } from '../../apps/api/src/payments/apply-payment.ts'
import { buyPlan } from '../../apps/api/src/payments/buy-plan.ts'
import { settleOrder } from '../../apps/api/src/payments/settle-order.ts'
import { requestRefund } from '../../apps/api/src/refunds/request-refund.ts'
import { trackRefund } from '../../apps/api/src/refunds/track-refund.ts'
import { atDoor, openServices, type Services } from '../../apps/api/src/services.ts'
import { removals } from './anatomy-removals.ts'
import { type BareMinimum, openBareMinimum } from './bare-minimum.ts'
import { median } from './measure.ts'
import { duePayments } from './notifications.ts'
import type { BenchWorld } from './open-world.ts'
import { deliveryOf, paidStatement } from './paid-statements.ts'
import { type Spent, spentBetween, spentBy } from './processor-time.ts'
import { buyers, intentOf, platformAtOnce } from './purchase.ts'
import { kilobytes, type Line, milliseconds, rate } from './table.ts'
import { readWritten, type Written, withoutFullPages, writtenPer } from './write-ahead.ts'

/** As many connections as an API has for payments and its other doors together. */
const connections = 10
const perAct = 1_000
const alone = 100
/** PostgreSQL plans the first five executions of a statement on each connection for themselves. */
const warmUps = 8 * connections
/** As many as the product commits together at most. */
const groupSize = 32

/** Works through a list with so many at once; answers how long each took. */
async function workThrough<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<number[]> {
  const waiting = items.values()
  const times: number[] = []
  const inTurn = async () => {
    for (const item of waiting) {
      const started = performance.now()
      await work(item)
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, inTurn))
  return times
}

/** Something that can be done many times, each time by an item prepared outside its time. */
type Act = {
  /** How many of what is counted one item does; one where it is left out. */
  each?: number
  prepare: (count: number) => Promise<(() => Promise<unknown>)[]>
  close: () => Promise<void>
}
type OpenAct = (world: BenchWorld) => Promise<Act>

const urlOf = ({ environment }: BenchWorld): string => environment['DATABASE_URL'] ?? ''

/** The statement of payments by a bare client, so many in each. */
const payments =
  (inGroup: number): OpenAct =>
  async (world) => {
    const pool = openPool(urlOf(world), { maxConnections: connections })
    return {
      each: inGroup,
      prepare: async (count) => {
        const due = await duePayments(world, count * inGroup)
        const deliveries = due.map(({ signed }) => deliveryOf(world.services.payments, signed))
        return Array.from({ length: count }, (_, at) => {
          const statement = paidStatement(deliveries.slice(at * inGroup, (at + 1) * inGroup))
          return () => pool.query(statement)
        })
      },
      close: () => pool.end(),
    }
  }

type Opened = { services: Services; close: () => Promise<void> }

function openProduct({ environment }: BenchWorld, fetcher: typeof fetch = fetch): Opened {
  const runtime = { ...systemRuntime, fetch: fetcher }
  const given = { ...environment, DATABASE_POOL_SIZE: '24' }
  const services = openServices(readConfig(given), pino({ level: 'silent' }), runtime)
  return { services: atDoor(services, 'payments'), close: () => services.database.close() }
}

const purchase: OpenAct = async (world) => {
  const { fetchAtOnce } = platformAtOnce()
  const { services, close } = openProduct(world, fetchAtOnce)
  return {
    prepare: async (count) => {
      const [first, ...others] = await buyers(world, count + 1)
      if (first) await buyPlan(services, intentOf(first))
      return others.map((buyer) => () => buyPlan(services, intentOf(buyer)))
    },
    close,
  }
}

const sync: OpenAct = async (world) => {
  const { services, close } = openProduct(world)
  return {
    prepare: async (count) =>
      (await duePayments(world, count)).map(({ order: { outTradeNo } }) => () => {
        const inquiry = { outTradeNo, channel: 'jsapi', confirmedBy: 'sync', requestId: 'bench' } as const
        return settleOrder(services, inquiry)
      }),
    close,
  }
}

/** Asked for below the sum that needs a second person, and sent to the platform. */
const refund: OpenAct = async (world) => {
  const { services, close } = openProduct(world)
  const { pool } = services.database
  const operatorId = randomUUID()
  const refundOf = async (outTradeNo: string) => {
    const terms = { amountFen: 100, reason: 'user_request', note: null, keepDays: true } as const
    const asked = { outTradeNo, operatorId, requestId: 'bench', ...terms }
    const { outRefundNo } = await requestRefund(pool, asked)
    await trackRefund(services, { outRefundNo, attempt: 0 })
  }
  return {
    prepare: async (count) => {
      const due = await duePayments(world, count)
      for (const { signed } of due) {
        const { payment, arrival } = deliveryOf(world.services.payments, signed)
        await applyPayment(pool, payment, arrival)
      }
      return due.map(
        ({ order }) =>
          () =>
            refundOf(order.outTradeNo),
      )
    },
    close,
  }
}

const acts: Readonly<Record<string, OpenAct>> = {
  payment: payments(1),
  purchase,
  sync,
  refund,
}

type Seen = { perSecond: number; aloneMs: number; spent: Spent; written: Written; bareBytes: number }

type Stage = { world: BenchWorld; pool: Pool; watched: Record<string, number> }

type Load = { count: number; atOnce?: number }

/** Does an act many times on connections of its own, closed before what was written is read. */
async function doMany({ world, pool, watched }: Stage, open: OpenAct, { count, atOnce = connections }: Load) {
  const act = await open(world)
  const { each = 1 } = act
  const works = await act.prepare(warmUps + Math.ceil(count / each))
  await workThrough(works.splice(0, warmUps), connections, (work) => work())
  const done = works.length * each
  const before = await readWritten(pool)
  const [spentBefore, started] = [spentBy(watched), performance.now()]
  const times = await workThrough(works, atOnce, (work) => work())
  const elapsedMs = performance.now() - started
  const spent = spentBetween(spentBefore, spentBy(watched))
  await act.close()
  return {
    count: done,
    elapsedMs,
    times,
    spent,
    written: writtenPer(done, before, await readWritten(pool)),
  }
}

async function observe(stage: Stage, open: OpenAct, many = perAct): Promise<Seen> {
  const { count, elapsedMs, spent, written } = await doMany(stage, open, { count: many })
  const lone = await doMany(stage, open, { count: alone, atOnce: 1 })
  const bare = await withoutFullPages(stage.pool, () => doMany(stage, open, { count: alone }))
  return {
    perSecond: (count / elapsedMs) * 1000,
    aloneMs: median(lone.times),
    spent: Object.fromEntries(Object.entries(spent).map(([name, ms]) => [name, ms / count])),
    written,
    bareBytes: bare.written.bytes,
  }
}

function lineOf(what: string, seen: Seen, floor: Seen): Line {
  const { perSecond, aloneMs, spent, written, bareBytes } = seen
  const spentText = Object.entries(spent).map(([by, ms]) => `${by} ${milliseconds(ms)}`)
  const log = `log ${kilobytes(bareBytes)} + ${written.fullPages.toFixed(1)} full pages`
  const alone = Number.isFinite(aloneMs) ? `, alone ${milliseconds(aloneMs)}` : ''
  return {
    what,
    figure: `${rate(perSecond)}${alone}`,
    floor: `${spentText.join(', ')}; ${log}; ${written.entries.toFixed(0)} index entries`,
    ratio: perSecond / floor.perSecond,
    byProcessor: (floor.spent['PostgreSQL'] ?? Number.NaN) / (spent['PostgreSQL'] ?? Number.NaN),
    aim: null,
  }
}

/** What the payment is held to: its rate alone and in groups, and what it writes, against the bare minimum. */
async function linesOfPayment(stage: Stage, floor: Seen): Promise<Line[]> {
  const inGroups = await observe(stage, payments(groupSize), 8 * perAct)
  const single = await observe(stage, payments(1))
  const bytes = { figure: kilobytes(single.bareBytes), floor: `bare minimum ${kilobytes(floor.bareBytes)}` }
  return [
    { ...lineOf('payment, one by one', single, floor), aim: { atLeast: 0.35 } },
    { ...lineOf(`payments in groups of ${groupSize}`, inGroups, floor), aim: { atLeast: 0.8 } },
    {
      what: 'log of a payment, full pages apart',
      ...bytes,
      ratio: single.bareBytes / floor.bareBytes,
      aim: { atMost: 4 },
    },
  ]
}

async function observeMinimum(stage: Stage, minimum: BareMinimum): Promise<Seen> {
  await minimum.pay(2_000, connections)
  const [before, spentBefore, started] = [
    await readWritten(stage.pool),
    spentBy(stage.watched),
    performance.now(),
  ]
  const count = await minimum.pay(10_000, connections)
  const elapsedMs = performance.now() - started
  const spent = spentBetween(spentBefore, spentBy(stage.watched))
  const written = writtenPer(count, before, await readWritten(stage.pool))
  const bare = await withoutFullPages(stage.pool, async () => {
    const from = await readWritten(stage.pool)
    return writtenPer(await minimum.pay(2_000, connections), from, await readWritten(stage.pool))
  })
  return {
    perSecond: (count / elapsedMs) * 1000,
    aloneMs: Number.NaN,
    spent: { PostgreSQL: (spent['PostgreSQL'] ?? Number.NaN) / count },
    written,
    bareBytes: bare.bytes,
  }
}

/**
 * What payment, purchase, sync and refund cost and where it goes: the same acts while parts are taken away one by one,
 * beside the bare minimum. The database is spoilt by it and thrown away.
 */
export async function measureAnatomy(world: BenchWorld): Promise<Line[]> {
  const pool = openPool(urlOf(world), { maxConnections: 1, statementTimeoutMs: 0 })
  const minimum = await openBareMinimum(world)
  const stage = { world, pool, watched: { PostgreSQL: world.postmaster, API: process.pid } }
  try {
    const floor = await observeMinimum(stage, minimum)
    const lines = [
      lineOf(`bare minimum by ${minimum.by}`, floor, floor),
      ...(await linesOfPayment(stage, floor)),
    ]
    for (const { name, sql } of removals) {
      if (sql !== '') await pool.query(sql)
      for (const [act, open] of Object.entries(acts))
        lines.push(lineOf(`${act}, ${name}`, await observe(stage, open), floor))
    }
    return lines
  } finally {
    await Promise.all([minimum.close(), pool.end()])
  }
}
