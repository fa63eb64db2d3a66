import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '@meridian/db'
import { askedPerSecond } from '../../apps/api/src/orders/sweep-schedule.ts'
import { plantUnpaid } from './notifications.ts'
import type { BenchWorld } from './open-world.ts'
import { spentBetween, spentBy } from './processor-time.ts'
import { startApi } from './programs.ts'
import { type Line, milliseconds, rate } from './table.ts'

const wantedOrders = 10_000
/** Of this question on, the next is five minutes later: none is asked about twice while the others wait. */
const attempt = 4
const longestMs = 240_000

/** Their questions are due, all at once, and nothing else is that another part of the bench has left. */
async function planQuestions(pool: Pool, outTradeNos: readonly string[]): Promise<void> {
  await pool.query('TRUNCATE due_jobs')
  await pool.query('SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs')
  await pool.query(
    `INSERT INTO due_jobs (key, job, payload, run_at)
     SELECT 'sweep:' || no, 'sweep_order', json_build_object('outTradeNo', no, 'attempt', $2::int), now()
     FROM unnest($1::text[]) no`,
    [outTradeNos, attempt],
  )
}

/** How many of them have been asked about: their next question is planned. */
async function countAsked(pool: Pool, outTradeNos: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ asked: number }>(
    `SELECT count(*)::int AS asked FROM due_jobs JOIN unnest($1::text[]) no ON key = 'sweep:' || no
     WHERE (payload ->> 'attempt')::int = $2 + 1`,
    [outTradeNos, attempt],
  )
  return rows[0]?.asked ?? 0
}

/** Answers after how many milliseconds all of them have been asked about, or how many had not been when time was up. */
async function untilAsked(pool: Pool, outTradeNos: readonly string[]): Promise<number> {
  const started = performance.now()
  for (;;) {
    const asked = await countAsked(pool, outTradeNos)
    const elapsedMs = performance.now() - started
    if (asked === outTradeNos.length) return elapsedMs
    if (elapsedMs > longestMs) throw new Error(`${asked} of ${outTradeNos.length} orders were asked about`)
    await delay(100)
  }
}

/**
 * Ten thousand unpaid orders that are due at once: how many of them one process asks a platform about that answers at
 * once, beside how often the platform may be asked. A sync asks and writes the same.
 */
export async function measureSweep(world: BenchWorld): Promise<Line[]> {
  const { pool } = world.services.database
  const orders = (await plantUnpaid(pool, world.platform, wantedOrders)).map(({ outTradeNo }) => outTradeNo)
  await planQuestions(pool, [])
  const api = await startApi(world, { MERIDIAN_ROLE: 'all' })
  try {
    await planQuestions(pool, orders)
    const watched = { API: api.pid, PostgreSQL: world.postmaster }
    const before = spentBy(watched)
    const elapsedMs = await untilAsked(pool, orders)
    const spent = Object.values(spentBetween(before, spentBy(watched))).reduce((sum, ms) => sum + ms, 0)
    const perSecond = (orders.length / elapsedMs) * 1000
    return [
      {
        what: `sweep of ${orders.length.toLocaleString('en')} unpaid orders, one process`,
        figure: `${rate(perSecond)}, ${milliseconds(spent / orders.length)} of processor each`,
        floor: `the platform's pace ${rate(askedPerSecond)}`,
        ratio: perSecond / askedPerSecond,
        byProcessor: orders.length / (spent / 1000) / askedPerSecond,
        aim: { atLeast: 2 },
      },
    ]
  } finally {
    await api.stop()
  }
}
