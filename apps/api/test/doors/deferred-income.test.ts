import { daysOfMonth, monthAfter, type PaymentChannel } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { addUpAccounts } from '../../src/finance/add-up-accounts.ts'
import { readIncomes } from '../../src/finance/read-income.ts'
import { showDeferred } from '../../src/finance/show-deferred.ts'
import { changeDays, previewDays } from '../../src/subscriptions/change-days.ts'
import { type Console, hire, signInAnew } from '../world/console.ts'
import { doJob } from '../world/do-jobs.ts'
import { passUntil } from '../world/pass-until.ts'
import { plantVirtualPayment } from '../world/plant-virtual-payment.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const now = () => world.services.runtime.now()
const chinaMonth = (instant: Date) => new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 7)
// A month that begins while it is filled, and the one behind it.
const month = monthAfter(chinaMonth(new Date()), 1)
const next = monthAfter(month, 1)
const at = (day: number, time = '12:00:00', of = month) =>
  new Date(`${of}-${String(day).padStart(2, '0')}T${time}+08:00`)
let viewer: Console
let operatorId: string

async function paid(plan: string, paidAt: Date = now()): Promise<string> {
  const phone = await world.phone()
  const purchase = await phone.buys(plan)
  await phone.pays(purchase, { paidAt })
  return purchase.order.out_trade_no
}

/** A planted payment has no line on the timeline; every real one has. */
async function paidVirtually(paidAt: Date, ungranted = false): Promise<string> {
  const { attemptNo } = await plantVirtualPayment(world, { paidAt, ...(ungranted && { ungranted }) })
  await world.query(
    `INSERT INTO order_events (order_id, at, kind, channel) SELECT id, confirmed_at, 'pay', 'sync' FROM orders WHERE out_trade_no = $1`,
    [attemptNo],
  )
  return attemptNo
}

async function give(outTradeNo: string, days: number): Promise<void> {
  const { prisma } = world.services.database
  const [order] = await world.query<{ id: string }>(
    'SELECT user_id AS id FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  )
  const userId = order?.id ?? ''
  const { entries } = await previewDays(prisma, { userId, days })
  const from = { address: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  await changeDays(prisma, { userId, days, reason: 'test', entries }, { operatorId, from })
}

// Renewals that begin later than they are paid, days that nobody paid for, late payments, refunds of a part, of all, and
// with the days kept, both channels, and money whose days are not given.
beforeAll(async () => {
  operatorId = await hire(world, { email: 'operator@example.com', role: 'operator' })
  const before = await paid('quarterly')
  await passUntil(world, at(1, '09:00:00'))
  const phone = await world.phone()
  const first = await phone.buysAndPays('monthly')
  await give(first, 7)
  await phone.buysAndPays('quarterly')
  await doJob(world, 'add_up', {})
  const whole = await paid('monthly')
  const kept = await paid('yearly')
  await paidVirtually(at(1, '10:00:00'))
  await passUntil(world, at(11, '23:30:00'))
  await refundToItsEnd(world, { outTradeNo: first, amountFen: 1001, operatorId })
  await refundToItsEnd(world, { outTradeNo: before, amountFen: 333, operatorId })
  await addUpAccounts(world.services.database.pool)
  await refundToItsEnd(world, { outTradeNo: whole, amountFen: 2900, operatorId })
  await refundToItsEnd(world, { outTradeNo: kept, amountFen: 2003, operatorId, keepDays: true })
  await give(kept, -3)
  // Paid on the day before, learned of now.
  await passUntil(world, at(14, '08:00:00'))
  await paid('monthly', at(13, '22:00:00'))
  await paidVirtually(at(14, '07:00:00'), true)
  await passUntil(world, at(3, '12:00:00', next))
  await refundToItsEnd(world, { outTradeNo: first, amountFen: 77, operatorId })
  await doJob(world, 'add_up', {})
  viewer = (await signInAnew(world, 'operator@example.com')).console
})

const dayOf = (instant: string) => `(${instant} AT TIME ZONE 'Asia/Shanghai')::date`

/** What was booked on each day, by the plainest statement that could be meant, over the ledger of money. */
const bookedOn = (day: string, channel?: PaymentChannel) =>
  world
    .query<{ newFen: number; refundedFen: number }>(
      `SELECT coalesce(sum(o.amount_fen) FILTER (WHERE e.kind = 'pay'), 0)::int AS "newFen",
         coalesce(sum(r.amount_fen), 0)::int AS "refundedFen"
       FROM order_events e JOIN orders o ON o.id = e.order_id
         LEFT JOIN refunds r ON e.kind = 'refund' AND r.out_refund_no = e.detail ->> 'out_refund_no'
       WHERE ${dayOf('e.at')} = $1::date AND ($2::text IS NULL OR o.channel::text = $2)`,
      [day, channel ?? null],
    )
    .then(([row]) => row)

/** What of all orders is deferred now, order by order; with what was paid and has no days. */
async function deferredNow(): Promise<number> {
  const users = await world.query<{ id: string }>('SELECT user_id AS id FROM subscriptions')
  const incomes = await readIncomes(
    world.services.database.pool,
    users.map(({ id }) => id),
    now(),
  )
  const [held] = await world.query<{ fen: number }>(
    `SELECT coalesce(sum(amount_fen - refunded_fen), 0)::int AS fen FROM orders o
     WHERE paid_at IS NOT NULL AND NOT EXISTS (SELECT FROM grants g WHERE g.order_id = o.id)`,
  )
  return incomes.reduce((sum, { deferredFen }) => sum + deferredFen, held?.fen ?? 0)
}

describe('deferred income of a month', () => {
  test('is a chain of days whose new and refunded money is what plain SQL says of the ledger', async () => {
    for (const channel of [undefined, 'jsapi', 'virtual'] as const) {
      const { days } = await viewer.revenue.deferred.query({ month, ...(channel && { channel }) })
      expect([days.at(0)?.day, days.at(-1)?.day]).toEqual(Object.values(daysOfMonth(month)))
      for (const [index, { day, ...sums }] of days.entries()) {
        const { newFen, refundedFen, openingFen, earnedFen, closingFen } = sums
        expect({ day, newFen, refundedFen }).toEqual({ day, ...(await bookedOn(day, channel)) })
        expect(closingFen).toBe(openingFen + newFen - refundedFen - earnedFen)
        if (index > 0) expect(openingFen).toBe(days[index - 1]?.closingFen)
      }
    }
  })

  test('goes on where the month before ended, and the channels together are the whole', async () => {
    const [one, other] = [
      await viewer.revenue.deferred.query({ month }),
      await viewer.revenue.deferred.query({ month: next }),
    ]
    expect(other.days.at(0)?.openingFen).toBe(one.days.at(-1)?.closingFen)
    const parts = await Promise.all(
      (['jsapi', 'virtual'] as const).map((channel) => viewer.revenue.deferred.query({ month, channel })),
    )
    const closing = (shown: typeof one) => shown.days.at(-1)?.closingFen ?? 0
    expect(parts.reduce((sum, part) => sum + closing(part), 0)).toBe(closing(one))
  })

  test('equals the ledger: gross less refunds less earned, to the fen', async () => {
    const { total, ledger, differenceFen, days, withoutDaysFen } = await viewer.revenue.deferred.query({
      month: next,
    })
    const [sums] = await world.query<{ gross: number; refunded: number }>(
      `SELECT (SELECT sum(amount_fen)::int FROM orders WHERE paid_at IS NOT NULL) AS gross,
         (SELECT sum(amount_fen)::int FROM refunds WHERE status = 'succeeded') AS refunded`,
    )
    expect(ledger).toEqual({
      grossFen: sums?.gross,
      refundFen: sums?.refunded,
      pending: { grossFen: 0, refundFen: 0 },
    })
    expect(total).toMatchObject({ grossFen: sums?.gross, refundFen: sums?.refunded })
    expect(total.deferredFen).toBe(total.grossFen - total.refundFen - total.earnedFen)
    expect(total.deferredFen).toBe(days.at(-1)?.closingFen)
    expect(withoutDaysFen).toBe(2900)
    expect(differenceFen).toBe(0)
  })

  test('is, at the end of a day, what the orders say one by one', async () => {
    const midnight = new Date(at(3, '23:59:59.999', next).getTime() + 1)
    await passUntil(world, midnight)
    viewer = (await signInAnew(world, 'operator@example.com')).console
    const { days } = await viewer.revenue.deferred.query({ month: next })
    const closed = days.find(({ day }) => day === `${next}-03`)
    expect(closed?.closingFen).toBe(await deferredNow())
    expect(closed?.closingFen).toBeGreaterThan(0)
  })

  test('will be earned in the months ahead, but for money that has no days', async () => {
    const { total, ahead, withoutDaysFen } = await viewer.revenue.deferred.query({ month: next })
    expect(ahead.reduce((sum, { fen }) => sum + fen, 0)).toBe(total.deferredFen - withoutDaysFen)
    expect(ahead.length).toBeGreaterThan(10)
  })

  test('holds what was written since as it is read, and names it as pending where that is too much', async () => {
    const { pool } = world.services.database
    const before = await viewer.revenue.deferred.query({ month: next })
    await paid('monthly')
    const live = await viewer.revenue.deferred.query({ month: next })
    expect(live.total.grossFen).toBe(before.total.grossFen + 2900)
    expect(live).toMatchObject({ differenceFen: 0, ledger: { pending: { grossFen: 0 } } })
    expect(live.reachedAt?.getTime()).toBeGreaterThanOrEqual(before.reachedAt?.getTime() ?? 0)
    const stored = await showDeferred(pool, { month: next }, 0)
    expect(stored.ledger.pending).toEqual({ grossFen: 2900, refundFen: 0 })
    expect(stored).toMatchObject({ differenceFen: 0, total: { grossFen: before.total.grossFen } })
  })

  test('takes in every line once, and is the same added up anew', async () => {
    const { pool } = world.services.database
    const before = await viewer.revenue.deferred.query({ month: next })
    await doJob(world, 'add_up', {})
    await doJob(world, 'add_up', {})
    const after = await viewer.revenue.deferred.query({ month: next })
    expect({ ...after, reachedAt: null }).toEqual({ ...before, reachedAt: null })
    const kept = await sums()
    await world.query(
      `TRUNCATE income_day_sums, access_end_sums, cohort_month_sums; DELETE FROM watermarks WHERE name LIKE 'account_%'`,
    )
    expect(await showDeferred(pool, { month: next }, 0)).toMatchObject({ reachedAt: null, days: [] })
    const live = await viewer.revenue.deferred.query({ month: next })
    expect({ ...live, reachedAt: null }).toEqual({ ...before, reachedAt: null })
    await addUpAccounts(pool)
    expect(await sums()).toEqual(kept)
  })

  test('says by how much it misses the ledger where somebody changed it', async () => {
    await world.query('UPDATE income_day_sums SET new_fen = new_fen + 1 WHERE day = $1', [`${month}-01`])
    expect(await viewer.revenue.deferred.query({ month: next })).toMatchObject({ differenceFen: 2 })
    const alerts = () =>
      world.query(`SELECT FROM alerts WHERE subject = 'deferred_income_differs all orders'`)
    expect(await alerts()).toHaveLength(0)
    await doJob(world, 'check_invariants', {})
    expect(await alerts()).toHaveLength(1)
  })
})

const sums = () =>
  world.query(
    `SELECT 'income' AS what, day::text, channel::text AS key, new_fen::text, refunded_fen::text, earned_fen::text FROM income_day_sums
     WHERE (new_fen, refunded_fen, earned_fen) <> (0, 0, 0)
     UNION ALL SELECT 'end', day::text, '', ended::text, renewed::text, '' FROM access_end_sums WHERE (ended, renewed) <> (0, 0)
     UNION ALL SELECT 'cohort', cohort::text, month::text, active::text, payers::text, net_fen::text FROM cohort_month_sums
     WHERE (active, payers, net_fen) <> (0, 0, 0) ORDER BY 1, 2, 3`,
  )
