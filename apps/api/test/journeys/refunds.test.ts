import { beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/sql/transaction.ts'
import { decideRequest } from '../../src/refunds/decide-request.ts'
import type { RefundRequest } from '../../src/refunds/request-refund.ts'
import { settleRefund, settleRefundIn } from '../../src/refunds/settle-refund.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { hire } from '../world/console.ts'
import { payLate } from '../world/parked-payments.ts'
import { askRefund, refundToItsEnd } from '../world/send-refund.ts'
import { untilWaiting } from '../world/until-waiting.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let finance: string
let owner: string

beforeAll(async () => {
  finance = await hire(world, { email: 'finance@example.com', role: 'finance' })
  owner = await hire(world, { email: 'owner@example.com' })
})

const request = (outTradeNo: string, amountFen: number, more: Partial<RefundRequest> = {}) =>
  askRefund(world, { outTradeNo, amountFen, operatorId: finance, ...more })

const track = (outRefundNo: string) => trackRefund(world.services, { outRefundNo, attempt: 0 })
const refundOf = async (outRefundNo: string) =>
  (
    await world.query<{ status: string }>('SELECT status::text FROM refunds WHERE out_refund_no = $1', [
      outRefundNo,
    ])
  )[0]?.status

const refundWholly = (outTradeNo: string, amountFen: number, more: Partial<RefundRequest> = {}) =>
  refundToItsEnd(world, { outTradeNo, amountFen, operatorId: finance, ...more })

test('a full refund ends as refunded, takes all its days and leaves no access', async () => {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  const outRefundNo = await refundWholly(outTradeNo, 2900)
  expect(await refundOf(outRefundNo)).toBe('succeeded')
  expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded', refunded_fen: 2900 })
  expect(await phone.subscription()).toMatchObject({ is_active: false, remaining_days: 0, features: [] })
})

test('accepted is not succeeded: nothing is taken while the platform is still at it', async () => {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  const { outRefundNo } = await request(outTradeNo, 2900)
  await track(outRefundNo)
  expect(await refundOf(outRefundNo)).toBe('processing')
  expect(await phone.order(outTradeNo)).toMatchObject({ status: 'paid', refunded_fen: 0 })
  expect((await phone.subscription()).remaining_days).toBe(30)
})

test('partial refunds take days in proportion, and together never more than the whole', async () => {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  await refundWholly(outTradeNo, 1000)
  expect((await phone.subscription()).remaining_days).toBe(30 - Math.floor((30 * 1000) / 2900))
  await refundWholly(outTradeNo, 1900)
  expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded', refunded_fen: 2900 })
  expect((await phone.subscription()).remaining_days).toBe(0)
})

test('a refund of the first of two stacked orders leaves the days of the second', async () => {
  const phone = await world.phone()
  const first = await phone.buysAndPays('monthly', 'first')
  await phone.buysAndPays('quarterly', 'second')
  await refundWholly(first, 2900)
  expect((await phone.subscription()).remaining_days).toBe(90)
})

test('a refund with kept days returns the money alone', async () => {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  await refundWholly(outTradeNo, 2900, { keepDays: true })
  expect((await phone.subscription()).remaining_days).toBe(30)
})

const daysTaken = (outTradeNo: string) =>
  world.query(
    'SELECT g.days FROM grants g JOIN refunds r ON r.id = g.refund_id JOIN orders o ON o.id = r.order_id WHERE o.out_trade_no = $1',
    [outTradeNo],
  )

test('days that are used already are not taken back', async () => {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  await world.passTime({ days: 20 })
  expect((await phone.subscription()).remaining_days).toBe(10)
  await refundWholly(outTradeNo, 2900)
  expect(await daysTaken(outTradeNo)).toEqual([{ days: -10 }])
  expect((await phone.subscription()).is_active).toBe(false)
})

test('a refund whose transaction began before another took the last days takes none of its own', async () => {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  await world.passTime({ days: 20 })
  const first = await request(outTradeNo, 1450)
  const second = await request(outTradeNo, 290)
  for (const { outRefundNo } of [first, second]) await track(outRefundNo)
  const { pool } = world.services.database
  const { payments } = world.services
  if (!payments) throw new Error('this world pays')
  await inTransaction(pool, async (client) => {
    await world.platform.settleRefund(first.outRefundNo)
    expect(await daysTaken(outTradeNo)).toEqual([{ days: -10 }])
    const theirs = world.platform.refunds.get(second.outRefundNo)
    if (theirs) Object.assign(theirs, { status: 'SUCCESS', succeededAt: world.services.runtime.now() })
    const asked = await payments.queryRefund(second.outRefundNo)
    if (asked.state !== 'known') throw new Error('the platform knows the refund')
    const arrival = { channel: 'job', requestId: null, mchId: payments.mchId } as const
    expect(await settleRefundIn(client, asked.refund, arrival)).toMatchObject({ verdict: 'applied' })
  })
  expect(await refundOf(second.outRefundNo)).toBe('succeeded')
  expect(await daysTaken(outTradeNo)).toEqual([{ days: -10 }])
})

describe('limits', () => {
  test('the sum of the refunds of an order never exceeds its amount, also when requested at once', async () => {
    const outTradeNo = await (await world.phone()).buysAndPays()
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => request(outTradeNo, 1000)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    await expect(request(outTradeNo, 901)).rejects.toMatchObject({ code: 'refund_not_possible' })
    await expect(request(outTradeNo, 900)).resolves.toMatchObject({ status: 'approved' })
  })

  test('an order has at most fifty refunds', async () => {
    const outTradeNo = await (await world.phone()).buysAndPays()
    for (let count = 0; count < 50; count++) await request(outTradeNo, 1)
    await expect(request(outTradeNo, 1)).rejects.toMatchObject({ code: 'refund_not_possible' })
  })

  test('an unpaid order cannot be refunded', async () => {
    const { order } = await (await world.phone()).buys()
    await expect(request(order.out_trade_no, 1)).rejects.toMatchObject({ code: 'refund_not_possible' })
  })
})

describe('two persons', () => {
  test('a sum above the threshold waits for somebody who did not request it', async () => {
    const outTradeNo = await (await world.phone()).buysAndPays('yearly')
    const { outRefundNo, status } = await request(outTradeNo, 26_800)
    expect(status).toBe('requested')
    await track(outRefundNo)
    expect(world.platform.refunds.has(outRefundNo)).toBe(false)
    const decide = (operatorId: string) =>
      decideRequest(world.services.database.pool, { outRefundNo, operatorId, approve: true })
    await expect(decide(finance)).rejects.toMatchObject({ code: 'second_person_required' })
    await decide(owner)
    expect(await refundOf(outRefundNo)).toBe('approved')
    await track(outRefundNo)
    expect(world.platform.refunds.has(outRefundNo)).toBe(true)
  })

  test('the threshold counts the sum of all refunds, so that slices do not slip under it', async () => {
    const outTradeNo = await (await world.phone()).buysAndPays('yearly')
    expect(await request(outTradeNo, 20_000)).toMatchObject({ status: 'approved' })
    expect(await request(outTradeNo, 1)).toMatchObject({ status: 'requested' })
  })

  test('the database refuses an approver who is the requester', async () => {
    const outTradeNo = await (await world.phone()).buysAndPays('yearly')
    const { outRefundNo } = await request(outTradeNo, 26_800)
    const forge = world.query('UPDATE refunds SET approved_by = requested_by WHERE out_refund_no = $1', [
      outRefundNo,
    ])
    await expect(forge).rejects.toThrow(/refunds_second_person/)
  })

  test('a rejected refund gives its amount free again', async () => {
    const outTradeNo = await (await world.phone()).buysAndPays('yearly')
    const { outRefundNo } = await request(outTradeNo, 26_800)
    await decideRequest(world.services.database.pool, { outRefundNo, operatorId: owner, approve: false })
    await expect(request(outTradeNo, 26_800)).resolves.toMatchObject({ status: 'requested' })
  })
})

test('a refund whose answer was lost is submitted again under the same number and refunds once', async () => {
  const outTradeNo = await (await world.phone()).buysAndPays()
  const { outRefundNo } = await request(outTradeNo, 2900)
  await Promise.all([track(outRefundNo), track(outRefundNo), track(outRefundNo)])
  await track(outRefundNo)
  const ours = [...world.platform.refunds.values()].filter((refund) => refund.outTradeNo === outTradeNo)
  expect(ours.map((refund) => refund.outRefundNo)).toEqual([outRefundNo])
})

test('a notification repeated at once takes the days once', async () => {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  const { outRefundNo } = await request(outTradeNo, 1450)
  await track(outRefundNo)
  await world.platform.settleRefund(outRefundNo)
  const copies = Array.from({ length: 8 }, () =>
    world.platform.deliver(world.platform.refundNotification(outRefundNo)),
  )
  expect(new Set((await Promise.all(copies)).map(({ status }) => status))).toEqual(new Set([204]))
  expect(await phone.order(outTradeNo)).toMatchObject({ status: 'paid', refunded_fen: 1450 })
  expect((await phone.subscription()).remaining_days).toBe(15)
})

test('a refund is settled while somebody else writes it, without a deadlock, whoever comes first', async () => {
  const { services } = world
  const { payments } = services
  const { pool } = services.database
  if (!payments) throw new Error('this world takes payments')
  for (const settlesFirst of [true, false]) {
    const outTradeNo = await (await world.phone()).buysAndPays()
    const { outRefundNo } = await request(outTradeNo, 2900)
    await track(outRefundNo)
    const asked = await payments.queryRefund(outRefundNo)
    if (asked.state !== 'known') throw new Error('the platform knows the refund')
    const { refund } = asked
    const arrival = { channel: 'job', requestId: null, mchId: payments.mchId } as const
    // What a refusal of the platform writes: the refund, and by its trigger the order.
    const acts = [
      () => settleRefund(pool, refund, arrival),
      () => world.query(`UPDATE refunds SET failure = 'NOT_ENOUGH' WHERE out_refund_no = $1`, [outRefundNo]),
    ]
    const gate = await pool.connect()
    await gate.query('BEGIN')
    await gate.query('SELECT 1 FROM orders WHERE out_trade_no = $1 FOR UPDATE', [outTradeNo])
    const first = Promise.allSettled([acts[settlesFirst ? 0 : 1]?.()])
    await untilWaiting(world, 1)
    const second = Promise.allSettled([acts[settlesFirst ? 1 : 0]?.()])
    await untilWaiting(world, 2)
    await gate.query('COMMIT')
    gate.release()
    expect([...(await first), ...(await second)].filter(({ status }) => status === 'rejected')).toEqual([])
  }
})

test('a lost refund notification is healed by asking', async () => {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  const { outRefundNo } = await request(outTradeNo, 2900)
  await track(outRefundNo)
  const refund = world.platform.refunds.get(outRefundNo)
  if (!refund) throw new Error('the platform knows the refund')
  refund.status = 'SUCCESS'
  refund.succeededAt = world.services.runtime.now()
  await track(outRefundNo)
  expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded' })
})

test('an abnormal refund is a state of its own, raises an alert and can still succeed', async () => {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  const { outRefundNo } = await request(outTradeNo, 2900)
  await track(outRefundNo)
  await world.platform.settleRefund(outRefundNo, 'ABNORMAL')
  expect(await refundOf(outRefundNo)).toBe('abnormal')
  expect(await world.query('SELECT kind FROM alerts WHERE subject = $1', [outRefundNo])).toEqual([
    { kind: 'refund_abnormal' },
  ])
  expect((await phone.subscription()).remaining_days).toBe(30)
  await world.platform.settleRefund(outRefundNo, 'SUCCESS')
  expect(await refundOf(outRefundNo)).toBe('succeeded')
})

test('word of an abnormal refund that comes after its success changes nothing and alarms nobody', async () => {
  const outTradeNo = await (await world.phone()).buysAndPays()
  const { outRefundNo } = await request(outTradeNo, 2900)
  await track(outRefundNo)
  const theirs = world.platform.refunds.get(outRefundNo)
  if (!theirs) throw new Error('the platform knows the refund')
  theirs.status = 'ABNORMAL'
  const overtaken = world.platform.refundNotification(outRefundNo, { id: 'EV-overtaken' })
  await world.platform.settleRefund(outRefundNo, 'SUCCESS')
  expect((await world.platform.deliver(overtaken)).status).toBe(204)
  expect(await refundOf(outRefundNo)).toBe('succeeded')
  expect(await world.query('SELECT kind FROM alerts WHERE subject = $1', [outRefundNo])).toEqual([])
})

test('a closed refund moved no money, gives its amount free again and is told to somebody', async () => {
  const outTradeNo = await (await world.phone()).buysAndPays()
  const { outRefundNo } = await request(outTradeNo, 2900)
  await track(outRefundNo)
  await world.platform.settleRefund(outRefundNo, 'CLOSED')
  expect(await refundOf(outRefundNo)).toBe('closed')
  expect(await world.query('SELECT kind FROM alerts WHERE subject = $1', [outRefundNo])).toEqual([
    { kind: 'refund_closed' },
  ])
  await expect(request(outTradeNo, 2900)).resolves.toMatchObject({ status: 'approved' })
})

test('a late payment under the policy "refund" grants nothing and goes back by itself', async () => {
  const { phone, outTradeNo } = await payLate(world, { policy: 'refund', cancelled: true })
  expect((await phone.subscription()).is_active).toBe(false)
  const [refund] = await world.query<{ out_refund_no: string; amount_fen: number }>(
    'SELECT r.out_refund_no, r.amount_fen FROM refunds r JOIN orders o ON o.id = r.order_id WHERE o.out_trade_no = $1',
    [outTradeNo],
  )
  expect(refund?.amount_fen).toBe(2900)
  await track(refund?.out_refund_no ?? '')
  await world.platform.settleRefund(refund?.out_refund_no ?? '')
  expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded' })
})

test('after every refund the ledger recomputes to what is stored', async () => {
  expect((await verifyLedger(world.services.database.pool)).differences).toEqual([])
})
