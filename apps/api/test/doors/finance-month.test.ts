import { addFinance, daysOfMonth, type FinanceSums, monthAfter } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Console, hire, problemOf, signInAnew } from '../world/console.ts'
import { doJob } from '../world/do-jobs.ts'
import { passUntil } from '../world/pass-until.ts'
import { plantVirtualPayment } from '../world/plant-virtual-payment.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { tamper } from '../world/tamper.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const chinaMonth = (instant: Date) => new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 7)
// A month that does not end while it is filled.
const month = chinaMonth(new Date(Date.now() + 2 * 86_400_000))
const next = monthAfter(month, 1)
const at = (day: string, time = '12:00:00') => new Date(`${day}T${time}+08:00`)
let viewer: Console

async function paid(plan: string, paidAt: Date): Promise<string> {
  const phone = await world.phone()
  const purchase = await phone.buys(plan)
  await phone.pays(purchase, { paidAt })
  return purchase.order.out_trade_no
}

const settle = (attemptNo: string, day: string, feeFen: number) =>
  tamper(
    world,
    `UPDATE order_attempts SET settlement = 'done', settled_at = '${at(day, '23:59:59.999').toISOString()}', fee_fen = ${feeFen}
     WHERE number = '${attemptNo}'`,
  )

/** Two bills of one day, of which the second counts, and the days of their rows. */
const plantBill = async (day: string, fees: readonly number[]) => {
  const [bill] = await world.query<{ id: string }>(
    `INSERT INTO bills (kind, bill_date, sha1) VALUES ('trade', $1, md5(random()::text) || 'aaaaaaaa') RETURNING id`,
    [day],
  )
  for (const [line, fee] of fees.entries())
    await world.query(
      `INSERT INTO bill_rows (bill_id, line, kind, traded_at, transaction_id, out_trade_no, status, amount_fen, settled_fen,
         fee_hundred_thousandths, rate)
       VALUES ($1, $2, 'payment', $3, 'T', 'M', 'SUCCESS', 2900, 2900, $4, '0.60%')`,
      [bill?.id, line, at(day), fee],
    )
  await world.query('UPDATE bills SET row_count = $2 WHERE id = $1', [bill?.id, fees.length])
}

beforeAll(async () => {
  const operatorId = await hire(world, { email: 'viewer@example.com', role: 'viewer' })
  const { from, to } = daysOfMonth(month)
  if (Date.now() < at(from).getTime()) await passUntil(world, at(from))
  await paid('monthly', at(from, '00:00:00'))
  await paid('yearly', at(to, '23:59:59.999'))
  const back = await paid('quarterly', at(from))
  await paid('monthly', new Date(at(from, '00:00:00').getTime() - 1))
  const virtual = await plantVirtualPayment(world, { paidAt: at(from, '10:00:00') })
  await settle(virtual.attemptNo, to, 435)
  await plantBill(from, [1])
  await plantBill(from, [17_400, 17_900, -4_321])
  await doJob(world, 'add_up', {})
  await passUntil(world, at(to, '23:00:00'))
  await refundToItsEnd(world, { outTradeNo: back, amountFen: 900, operatorId })
  await passUntil(world, at(daysOfMonth(next).from, '00:00:01'))
  await refundToItsEnd(world, { outTradeNo: back, amountFen: 100, operatorId })
  await paid('monthly', at(to, '23:59:00'))
  viewer = (await signInAnew(world, 'viewer@example.com')).console
})

/** The same by the plainest statements that could be meant. */
async function counted(range: { from: string; to: string }, channel?: string): Promise<FinanceSums> {
  const dayOf = (instant: string) =>
    `(${instant} AT TIME ZONE 'Asia/Shanghai')::date BETWEEN $1::date AND $2::date`
  const of = (name: string) => (channel ? `AND ${name}.channel = '${channel}'` : '')
  const [row] = await world.query<FinanceSums>(
    `SELECT p.*, r.*, f.* FROM
       (SELECT count(*)::int AS orders, coalesce(sum(amount_fen), 0)::int AS "grossFen" FROM orders o WHERE ${dayOf('paid_at')} ${of('o')}) p,
       (SELECT count(*)::int AS refunds, coalesce(sum(r.amount_fen), 0)::int AS "refundFen" FROM refunds r JOIN orders o ON o.id = r.order_id
        WHERE r.status = 'succeeded' AND ${dayOf('succeeded_at')} ${of('o')}) r,
       (SELECT (coalesce((SELECT sum(fee_fen) FROM order_attempts o WHERE ${dayOf('settled_at')} AND ${channel !== 'jsapi'}), 0)
         + coalesce((SELECT round(sum(fee_hundred_thousandths) / 1000.0) FROM bill_rows WHERE bill_id = (SELECT max(id) FROM bills
             WHERE bill_date BETWEEN $1::date AND $2::date) AND ${channel !== 'virtual'}), 0))::int AS "feeFen") f`,
    [range.from, range.to],
  )
  if (!row) throw new Error('figures without a row')
  return row
}

describe('a month of finance', () => {
  test('equals what plain SQL says, in the whole, by channel and by day', async () => {
    for (const shown of [month, next]) {
      const { channels, before, days } = await viewer.finance.month.query({ month: shown })
      const ranges = { channels: daysOfMonth(shown), before: daysOfMonth(monthAfter(shown, -1)) }
      for (const part of channels)
        expect(part).toEqual({ channel: part.channel, ...(await counted(ranges.channels, part.channel)) })
      for (const part of before)
        expect(part).toEqual({ channel: part.channel, ...(await counted(ranges.before, part.channel)) })
      for (const { day, state: _state, openDifferences: _open, hasBill: _bill, ...sums } of days)
        expect({ day, ...sums }).toEqual({ day, ...(await counted({ from: day, to: day })) })
      expect(days.at(0)?.day).toBe(ranges.channels.from)
      expect(days.at(-1)?.day).toBe(ranges.channels.to)
    }
  })

  test('counts a refund on the day it succeeded, a late payment on the day it was paid, and a fee when it is known', async () => {
    const { channels, days } = await viewer.finance.month.query({ month })
    expect(channels).toMatchObject([
      { channel: 'jsapi', orders: 4, refunds: 1, refundFen: 900, feeFen: 31 },
      { channel: 'virtual', orders: 1, grossFen: 2900, refunds: 0, feeFen: 435 },
    ])
    expect(days.at(-1)).toMatchObject({ orders: 2, refundFen: 900, feeFen: 435 })
    const later = await viewer.finance.month.query({ month: next })
    expect(later.channels[0]).toMatchObject({ orders: 0, grossFen: 0, refunds: 1, refundFen: 100 })
  })

  test('says how far each day is', async () => {
    const { days } = await viewer.finance.month.query({ month: next })
    expect(new Set(days.map(({ state }) => state))).toEqual(new Set(['ahead']))
    const day = daysOfMonth(month).from
    const stateOfFirst = async () => (await viewer.finance.month.query({ month })).days[0]
    expect(await stateOfFirst()).toMatchObject({ state: 'waiting', hasBill: true })
    await world.query(
      `INSERT INTO reconciliation_days (date, state, matched_at) VALUES ($1, 'matched', business_now())`,
      [day],
    )
    expect(await stateOfFirst()).toMatchObject({ state: 'reconciled', openDifferences: 0 })
    await world.query(
      `INSERT INTO reconciliation_differences (date, kind, subject, suggested_action) VALUES ($1, 'fee', 'T', 'none')`,
      [day],
    )
    expect(await stateOfFirst()).toMatchObject({ state: 'differences', openDifferences: 1 })
    await world.query(
      `UPDATE reconciliation_differences SET state = 'resolved', resolution = 'known', resolved_at = business_now() WHERE date = $1`,
      [day],
    )
    await world.query(
      `UPDATE reconciliation_days SET state = 'closed', closed_by = (SELECT id FROM operators LIMIT 1), closed_at = business_now() WHERE date = $1`,
      [day],
    )
    expect(await stateOfFirst()).toMatchObject({ state: 'closed' })
  })

  test('leads to lists that add up to its figures', async () => {
    const { from, to } = daysOfMonth(month)
    const range = { from: at(from, '00:00:00'), to: at(daysOfMonth(next).from, '00:00:00') }
    const shown = await viewer.finance.month.query({ month })
    for (const { channel, orders, grossFen, refunds, refundFen } of shown.channels) {
      expect(
        await viewer.order.totals.query({ channel, paidFrom: range.from, paidTo: range.to }),
      ).toMatchObject({ count: orders, grossFen })
      expect(
        await viewer.refund.totals.query({ channel, succeededFrom: range.from, succeededTo: range.to }),
      ).toMatchObject({ count: refunds, amountFen: refundFen })
    }
    const last = await viewer.refund.list.query({
      succeededFrom: at(to, '00:00:00'),
      succeededTo: range.to,
      sort: 'newest',
    })
    expect(last.items).toMatchObject([{ amountFen: 900 }])
  })

  test('is the sum of its plans, of which each says what was bought again', async () => {
    const phone = await world.phone()
    const inMonth = at(daysOfMonth(month).from, '15:00:00')
    for (let purchases = 0; purchases < 2; purchases += 1)
      await phone.pays(await phone.buys('yearly'), { paidAt: inMonth })
    const shown = await viewer.finance.month.query({ month })
    const { rows } = await viewer.finance.planRevenue.query({ month })
    const whole = addFinance(rows.map((row) => ({ ...row, feeFen: 0 })))
    expect(whole).toEqual({ ...addFinance(shown.channels), feeFen: 0 })
    for (const { planCode, channel, orders, grossFen, firsts, renewals } of rows) {
      const [counted] = await world.query(
        `SELECT count(*)::int AS orders, coalesce(sum(amount_fen), 0)::int AS "grossFen",
           count(*) FILTER (WHERE seq = 1)::int AS firsts, count(*) FILTER (WHERE seq > 1)::int AS renewals
         FROM orders o JOIN grants g ON g.order_id = o.id
         WHERE o.plan_code = $1 AND o.channel = $2::payment_channel AND left(((paid_at AT TIME ZONE 'Asia/Shanghai')::date)::text, 7) = $3`,
        [planCode, channel, month],
      )
      expect(counted).toEqual({ orders, grossFen, firsts, renewals })
    }
    expect(rows.find(({ planCode }) => planCode === 'yearly')).toMatchObject({ firsts: 2, renewals: 1 })
  })

  test('refuses what is no month', async () => {
    for (const wrong of ['2026-13', '2026-1', 'now'])
      expect(await problemOf(viewer.finance.month.query({ month: wrong }))).toBe('invalid_request')
  })
})
