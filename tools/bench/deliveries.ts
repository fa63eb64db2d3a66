import { scheduler } from 'node:timers/promises'
import type { Pool } from '@meridian/db'
import { verifyLedger } from '../../apps/api/src/subscriptions/verify-ledger.ts'
import { config } from './config.ts'
import { Line as Connection, type Shot } from './load.ts'
import { duePayments, shotOf } from './notifications.ts'
import type { BenchWorld } from './open-world.ts'
import { type Program, startApi } from './programs.ts'
import { type Line, rate } from './table.ts'

/** As many orders at a time, because a signature is fresh for five minutes. */
const perBatch = 2_000
const copies = 10
const connectionsAtOnce = 32
const killEveryMs = 10_000

/** Two programs, of which one after the other is killed without a word and started again. */
async function openReplicas(world: BenchWorld) {
  const programs: Program[] = [await startApi(world), await startApi(world)]
  const stopping = new AbortController()
  let kills = 0
  const killing = (async () => {
    while (!stopping.signal.aborted) {
      await scheduler.wait(killEveryMs, { signal: stopping.signal }).catch(() => undefined)
      const [victim] = stopping.signal.aborted ? [] : programs.splice(0, 1)
      if (!victim) return
      process.kill(victim.pid, 'SIGKILL')
      await victim.stop().catch(() => undefined)
      kills += 1
      programs.push(await startApi(world))
    }
  })()
  return {
    port: (at: number) => programs[at % programs.length]?.port ?? 0,
    kills: () => kills,
    stop: async () => {
      stopping.abort()
      await killing
      await Promise.all(programs.map((program) => program.stop()))
    },
  }
}
type Replicas = Awaited<ReturnType<typeof openReplicas>>

/** In an order of chance; the same in each run. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  const drawn = [...items]
  let state = 20_261_126
  for (let at = drawn.length - 1; at > 0; at -= 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    const other = state % (at + 1)
    const [one, two] = [drawn[at], drawn[other]]
    if (one !== undefined && two !== undefined) [drawn[at], drawn[other]] = [two, one]
  }
  return drawn
}

/** Delivers until each was answered well: whoever finds nobody, is cut off or told to come again sends again. */
async function deliverAll(replicas: Replicas, shots: readonly Shot[]): Promise<number> {
  const waiting = [...shots]
  let sent = 0
  const deliver = async (at: number) => {
    let connection: Connection | null = null
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      sent += 1
      try {
        connection ??= await Connection.open(replicas.port(at))
        const { status } = await connection.fire(next)
        if (status !== 204) throw new Error(`answered ${status}`)
      } catch {
        connection?.close()
        connection = null
        waiting.unshift(next)
        await scheduler.wait(20)
      }
    }
    connection?.close()
  }
  await Promise.all(Array.from({ length: connectionsAtOnce }, (_, at) => deliver(at)))
  return sent
}

/** What is wrong with the orders made since then: each is paid, by one grant, with one line and one notification. */
const wrongs = `
  SELECT count(*)::int AS orders, count(*) FILTER (WHERE o.status <> 'paid'
      OR (SELECT count(*) FROM grants g WHERE g.order_id = o.id) <> 1
      OR (SELECT count(*) FROM order_events e WHERE e.order_id = o.id AND e.kind = 'pay') <> 1
      OR (SELECT count(*) FROM notifications n WHERE n.out_trade_no = o.out_trade_no AND n.outcome = 'applied' AND n.deliveries >= ${copies}) <> 1
      OR (SELECT count(*) FROM notifications n WHERE n.out_trade_no = o.out_trade_no) <> 1)::int AS wrong
  FROM orders o WHERE o.id > $1`

const lastOrder = async (pool: Pool): Promise<bigint> =>
  (await pool.query<{ id: bigint }>('SELECT coalesce(max(id), 0) AS id FROM orders')).rows[0]?.id ?? 0n

/**
 * Every notification ten times, in an order of chance, to two programs of which one is killed every ten seconds: each
 * order is paid once, whatever died on the way.
 */
export async function measureDeliveries(world: BenchWorld): Promise<Line[]> {
  const { pool } = world.services.database
  const before = await lastOrder(pool)
  const replicas = await openReplicas(world)
  let sent = 0
  let elapsedMs = 0
  try {
    for (let made = 0; made < config.deliveredOrders; made += perBatch) {
      const due = await duePayments(world, Math.min(perBatch, config.deliveredOrders - made))
      const shots = shuffled(due.map(shotOf).flatMap((one) => Array.from({ length: copies }, () => one)))
      const started = performance.now()
      sent += await deliverAll(replicas, shots)
      elapsedMs += performance.now() - started
    }
  } finally {
    await replicas.stop()
  }
  const { rows } = await pool.query<{ orders: number; wrong: number }>(wrongs, [before])
  const { differences } = await verifyLedger(pool)
  const { orders = 0, wrong = Number.NaN } = rows[0] ?? {}
  return [
    {
      what: `orders paid otherwise than once, of ${orders.toLocaleString('en')}`,
      figure: `${wrong + differences.length} wrong`,
      floor: `${sent.toLocaleString('en')} deliveries, ${rate((sent / elapsedMs) * 1000)}, ${replicas.kills()} kills`,
      ratio: wrong + differences.length,
      aim: { atMost: 0 },
    },
  ]
}
