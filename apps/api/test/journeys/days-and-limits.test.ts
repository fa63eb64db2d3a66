import { column, execute, Prisma, query } from '@meridian/db'
import { beforeAll, describe, expect, test } from 'vitest'
import { parkOrder } from '../../src/orders/park-order.ts'
import { neighbouringPaymentsSql } from '../../src/orders/second-payment.ts'
import { previewRefund } from '../../src/refunds/preview-refund.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { hire } from '../world/console.ts'
import type { Phone } from '../world/phone.ts'
import { askRefund, refundToItsEnd } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { tamper } from '../world/tamper.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let finance: string

beforeAll(async () => {
  finance = await hire(world, { email: 'finance@example.com', role: 'finance' })
})

const pool = () => world.services.database.pool

const request = (outTradeNo: string, amountFen: number) =>
  askRefund(world, { outTradeNo, amountFen, operatorId: finance })

const giveBack = (outTradeNo: string, amountFen: number) =>
  refundToItsEnd(world, { outTradeNo, amountFen, operatorId: finance })

const left = async (phone: Phone) => (await phone.subscription()).remaining_days
const preview = (outTradeNo: string, amountFen: number) =>
  previewRefund(pool(), { outTradeNo, amountFen, keepDays: false })
const notPossible = { code: 'refund_not_possible' }

describe('days', () => {
  test('of a purchase after a lapse begin when it is paid, whatever lay before', async () => {
    const phone = await world.phone()
    await phone.buysAndPays('monthly')
    await world.passTime({ days: 45 })
    expect(await left(phone)).toBe(0)
    await phone.buysAndPays('monthly')
    expect(await left(phone)).toBe(30)
    await world.passTime({ days: 29 })
    expect(await left(phone)).toBe(1)
  })

  test('of two stacked orders go with both, the later given back first', async () => {
    const phone = await world.phone()
    const [earlier, later] = [await phone.buysAndPays('monthly'), await phone.buysAndPays('monthly')]
    await giveBack(later, 2900)
    expect(await left(phone)).toBe(30)
    expect(await preview(earlier, 2900)).toMatchObject({ daysLeft: 30, daysTaken: 30, remainingAfter: 0 })
    await giveBack(earlier, 2900)
    expect(await left(phone)).toBe(0)
  })

  test('of a later order are not taken for an earlier one that is used in part', async () => {
    const phone = await world.phone()
    const earlier = await phone.buysAndPays('monthly')
    await world.passTime({ days: 20 })
    await phone.buysAndPays('quarterly')
    expect(await left(phone)).toBe(100)
    await giveBack(earlier, 2900)
    expect(await left(phone)).toBe(90)
  })

  test('of an earlier order are not taken for a later one of which a part was given back', async () => {
    const phone = await world.phone()
    await phone.buysAndPays('monthly')
    const half = await phone.buysAndPays('quarterly')
    await giveBack(half, 3950)
    expect(await left(phone)).toBe(75)
    expect(await preview(half, 3950)).toMatchObject({ daysTakenBack: 45, daysLeft: 45, daysTaken: 45 })
    await giveBack(half, 3950)
    expect(await left(phone)).toBe(30)
  })

  test('that a refund has taken once are not taken again by the next', async () => {
    const phone = await world.phone()
    const order = await phone.buysAndPays('monthly')
    for (const [amountFen, days] of [
      [1000, 20],
      [1000, 10],
      [900, 0],
    ] as const) {
      await giveBack(order, amountFen)
      expect(await left(phone)).toBe(days)
    }
    const [taken] = await world.query<{ days: number }>(
      `SELECT -sum(g.days)::int AS days FROM grants g JOIN refunds r ON r.id = g.refund_id JOIN orders o ON o.id = r.order_id
       WHERE o.out_trade_no = $1`,
      [order],
    )
    expect(taken).toEqual({ days: 30 })
  })

  test('that nobody added up are found: an entry of the ledger beyond what the subscription knows', async () => {
    await using own = await openTestWorld()
    const phone = await own.phone()
    await phone.pays(await phone.buys())
    const { pool } = own.services.database
    expect((await verifyLedger(pool)).differences).toEqual([])
    await tamper(
      own,
      `INSERT INTO grants (user_id, seq, previous_seq, kind, operator_id, reason, days, features, effective_at, expires_before,
         expires_after) SELECT user_id, 9, 8, 'admin_grant', gen_random_uuid(), 'x', 1, '{}', effective_at, expires_after,
         expires_after + interval '24 hours' FROM grants`,
    )
    expect((await verifyLedger(pool)).differences).toHaveLength(1)
  })
})

describe('a refund', () => {
  test('is possible to the end of the 365th day after the payment, and not after it', async () => {
    const order = await (await world.phone()).buysAndPays('monthly')
    await world.passTime({ days: 364, hours: 23, minutes: 59 })
    expect(await request(order, 100)).toMatchObject({ status: 'approved' })
    expect((await preview(order, 100)).obstacle).toBeNull()
    await world.passTime({ minutes: 1, seconds: 1 })
    await expect(request(order, 100)).rejects.toMatchObject(notPossible)
    expect((await preview(order, 100)).obstacle).toBe('too_old')
  })

  test('of a parked order waits for whoever decides about it', async () => {
    const outTradeNo = await (await world.phone()).buysAndPays('monthly')
    await parkOrder(pool(), {
      outTradeNo,
      reason: 'refunded_more_than_paid',
      trace: { channel: 'job', requestId: null },
    })
    await expect(request(outTradeNo, 100)).rejects.toMatchObject(notPossible)
    expect((await preview(outTradeNo, 100)).obstacle).toBe('parked')
  })
})

test('a payment after its time of an order that is still open is not late: it activates, whatever the policy', async () => {
  await setSetting(world, 'late_payment_policy', 'ask')
  const phone = await world.phone()
  const purchase = await phone.buys()
  await world.passTime({ minutes: 31 })
  await phone.pays(purchase, { late: true })
  expect(
    await world.query('SELECT status::text, late, parked FROM orders WHERE out_trade_no = $1', [
      purchase.order.out_trade_no,
    ]),
  ).toEqual([{ status: 'paid', late: false, parked: false }])
  expect(await left(phone)).toBe(30)
  await setSetting(world, 'late_payment_policy', 'activate')
})

async function neighboursOf(...numbers: string[]): Promise<Record<string, string>> {
  const found = neighbouringPaymentsSql(Prisma.sql`${numbers}::text[]`)
  const columns = { number: column.text, neighbour: column.text }
  const rows = await execute(pool(), query(null, found, columns))
  return Object.fromEntries(rows.map(({ number, neighbour }) => [number, neighbour]))
}

test('two payments of one user are neighbours within ten minutes, in either direction, and not beyond', async () => {
  const phone = await world.phone()
  const first = await phone.buysAndPays('monthly')
  await world.passTime({ minutes: 9, seconds: 30 })
  const second = await phone.buysAndPays('monthly')
  expect(await neighboursOf(first, second)).toEqual({ [first]: second, [second]: first })
  await world.passTime({ minutes: 10, seconds: 30 })
  const third = await phone.buysAndPays('monthly')
  expect(await neighboursOf(second, third)).toEqual({ [second]: first })
})
