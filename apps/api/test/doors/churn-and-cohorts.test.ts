import { type Month, monthAfter, RENEWAL_DAYS } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { changeDays, previewDays } from '../../src/subscriptions/change-days.ts'
import { type Console, hire, problemOf, signInAnew } from '../world/console.ts'
import { doJob } from '../world/do-jobs.ts'
import { passUntil } from '../world/pass-until.ts'
import type { Phone } from '../world/phone.ts'
import { plantVirtualPayment } from '../world/plant-virtual-payment.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { somebody } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const chinaMonth = (instant: Date) => new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 7)
const first = monthAfter(chinaMonth(new Date()), 1)
const range = { from: first, to: monthAfter(first, 6) }
let viewer: Console

/** A day of the so-manieth month from the first. */
const on = (month: number, day: number, time = '12:00:00') =>
  new Date(`${monthAfter(first, month)}-${String(day).padStart(2, '0')}T${time}+08:00`)

async function pays(phone: Phone, paidAt: Date, plan = 'monthly'): Promise<string> {
  const purchase = await phone.buys(plan)
  await phone.pays(purchase, { paidAt })
  return purchase.order.out_trade_no
}

/** Days for somebody who never buys any. */
async function gift(operatorId: string): Promise<void> {
  const { prisma } = world.services.database
  const { userId } = await somebody(world)
  const { entries } = await previewDays(prisma, { userId, days: 3 })
  const from = { address: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  await changeDays(prisma, { userId, days: 3, reason: 'gift', entries }, { operatorId, from })
}

// In the order of time: who renews before the end, in time, too late and never; who is refunded whole or in part; a trial
// that buys nothing, a payment learned of in the next month, and both channels.
beforeAll(async () => {
  const operatorId = await hire(world, { email: 'operator@example.com', role: 'operator' })
  const phones = await Promise.all(Array.from({ length: 7 }, () => world.phone()))
  const [early, inTime, tooLate, never, whole, part, late] = phones
  if (!early || !inTime || !tooLate || !never || !whole || !part || !late) throw new Error('too few phones')
  await passUntil(world, on(0, 2))
  for (const phone of [early, inTime, tooLate, never, part]) await pays(phone, on(0, 2))
  const back = await pays(whole, on(0, 2))
  const partly = await pays(part, on(0, 2), 'quarterly')
  await world.query(
    `WITH payment AS (SELECT id, confirmed_at FROM orders WHERE out_trade_no = $1)
     INSERT INTO order_events (order_id, at, kind, channel) SELECT id, confirmed_at, 'pay', 'sync' FROM payment`,
    [(await plantVirtualPayment(world, { paidAt: on(0, 2) })).attemptNo],
  )
  await gift(operatorId)
  await passUntil(world, on(0, 20))
  await refundToItsEnd(world, { outTradeNo: back, amountFen: 2900, operatorId })
  await refundToItsEnd(world, { outTradeNo: partly, amountFen: 1234, operatorId })
  await doJob(world, 'add_up', {})
  await passUntil(world, on(0, 28))
  await pays(early, on(0, 28))
  await passUntil(world, on(1, 6))
  await pays(inTime, on(1, 6))
  // Paid in the first month, learned of in the second.
  await pays(late, on(0, 28, '23:00:00'))
  await passUntil(world, on(1, 25))
  await pays(tooLate, on(1, 25))
  await passUntil(world, on(4, 5))
  await pays(never, on(4, 5))
  await passUntil(world, on(5, 9))
  await doJob(world, 'add_up', {})
  viewer = (await signInAnew(world, 'operator@example.com')).console
})

const today = () => chinaDay(world.services.runtime.now())
const chinaDay = (instant: Date) => new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)

/** Ends of access by month, by the plainest statement that could be meant, over the ledger of days. */
const endsOf = (month: Month) =>
  world.query(
    `WITH lines AS (
       SELECT *, lead(effective_at) OVER later AS next_at, bool_or(kind = 'purchase') OVER later AS bought
       FROM grants WINDOW later AS (PARTITION BY user_id ORDER BY seq)),
     ends AS (
       SELECT (expires_after AT TIME ZONE 'Asia/Shanghai')::date AS day, EXISTS (
         SELECT FROM grants g WHERE g.user_id = l.user_id AND g.seq > l.seq AND g.kind = 'purchase'
           AND g.effective_at <= l.expires_after + interval '${RENEWAL_DAYS} days') AS renewed
       FROM lines l WHERE bought AND (days > 0 OR expires_before > effective_at) AND (next_at IS NULL OR next_at > expires_after))
     SELECT $1 AS month, count(*)::int AS ended, count(*) FILTER (WHERE renewed)::int AS renewed,
       count(*) FILTER (WHERE NOT renewed AND day + ${RENEWAL_DAYS} < $2::date)::int AS lost,
       count(*) FILTER (WHERE NOT renewed AND day + ${RENEWAL_DAYS} >= $2::date)::int AS open
     FROM ends WHERE left(day::text, 7) = $1 AND day < $2::date HAVING count(*) > 0`,
    [month, today()],
  )

/** A cohort in a month, by the plainest statement that could be meant. */
const cellOf = (cohort: Month, month: Month) =>
  world
    .query<{ month: string; active: number; payers: number; netFen: number; users: number }>(
      `WITH firsts AS (
         SELECT user_id FROM orders WHERE paid_at IS NOT NULL GROUP BY 1
         HAVING left(min(paid_at AT TIME ZONE 'Asia/Shanghai')::text, 7) = $1),
       bounds AS (SELECT (($2 || '-01')::date + interval '1 month') AT TIME ZONE 'Asia/Shanghai' AS ends),
       paid AS (SELECT o.*, left((paid_at AT TIME ZONE 'Asia/Shanghai')::text, 7) AS month FROM orders o WHERE paid_at IS NOT NULL)
       SELECT $2 AS month, (SELECT count(*)::int FROM firsts) AS users,
         (SELECT count(*)::int FROM firsts f, bounds WHERE (SELECT expires_after FROM grants g
            WHERE g.user_id = f.user_id AND g.effective_at < ends ORDER BY seq DESC LIMIT 1) > ends) AS active,
         (SELECT count(DISTINCT user_id)::int FROM paid JOIN firsts USING (user_id) WHERE month = $2) AS payers,
         (coalesce((SELECT sum(amount_fen) FROM paid JOIN firsts USING (user_id) WHERE month = $2), 0)
          - coalesce((SELECT sum(r.amount_fen) FROM refunds r JOIN paid o ON o.id = r.order_id JOIN firsts USING (user_id)
              WHERE left((r.succeeded_at AT TIME ZONE 'Asia/Shanghai')::text, 7) = $2), 0))::int AS "netFen"`,
      [cohort, month],
    )
    .then(([row]) => row)

describe('churn', () => {
  test('equals what plain SQL says of the ledger of days, month by month', async () => {
    const { months } = await viewer.revenue.churn.query(range)
    const counted: unknown[] = []
    for (let month = range.from; month <= range.to; month = monthAfter(month, 1))
      counted.push(...(await endsOf(month)))
    expect(months).toEqual(counted)
  })

  test('counts who renewed in time, too late or never, and a refund of everything as an end; never who only had a gift', async () => {
    const { months } = await viewer.revenue.churn.query(range)
    const of = (month: number) => months.find((one) => one.month === monthAfter(first, month))
    // The refund of everything; the gift of three days is not among them.
    expect(of(0)).toMatchObject({ ended: 1, renewed: 0, lost: 1 })
    expect(months.reduce((sum, { renewed }) => sum + renewed, 0)).toBe(1)
    for (const { ended, renewed, lost, open } of months) expect(ended).toBe(renewed + lost + open)
    expect(of(5)).toMatchObject({ lost: 0 })
  })
})

describe('cohorts', () => {
  test('equal what plain SQL says of orders and days, in every month since', async () => {
    const { cohorts } = await viewer.revenue.cohorts.query(range)
    expect(cohorts.map(({ month }) => month)).toEqual([first])
    for (const { month, users, cells } of cohorts) {
      expect(cells.map((cell) => cell.month)).toEqual([0, 1, 2, 3, 4, 5].map((by) => monthAfter(first, by)))
      for (const cell of cells) expect({ users, ...cell }).toEqual(await cellOf(month, cell.month))
    }
    // A payment learned of late belongs to the month in which it was paid.
    expect(cohorts[0]).toMatchObject({ users: 8 })
  })

  test('are asked for at most two years, from a month to a later one', async () => {
    for (const wrong of [
      { from: range.to, to: range.from },
      { from: monthAfter(first, -24), to: first },
    ])
      expect(await problemOf(viewer.revenue.cohorts.query(wrong))).toBe('invalid_request')
  })
})
