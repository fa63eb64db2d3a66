import { describe, expect, test } from 'vitest'
import { returnSecondPayment } from '../../src/refunds/return-second-payment.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { payAgain } from '../world/pay-again.ts'
import { useRefundDesk } from '../world/refund-desk.ts'
import { askRefund, type RefundEnd, sayRefundEnd } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { stopClock } from '../world/stop-clock.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
const desk = useRefundDesk(world)

const paid = async (plan = 'monthly') => (await world.phone()).buysAndPays(plan)

/** One more payment of an order that is paid, made yesterday and told today. */
async function paidAgain(outTradeNo: string) {
  const yesterday = world.services.runtime.now().getTime() - 86_400_000
  // The platform tells whole seconds.
  const paidAt = new Date(yesterday - (yesterday % 1000))
  return { ...(await payAgain(world, outTradeNo, paidAt)), paidAt }
}

/** A payment that only a bill told of, without the instant. */
async function paidByBill(outTradeNo: string, transactionId: string) {
  await world.query(
    `INSERT INTO second_payments (order_id, transaction_id, amount_fen, payer, source)
     SELECT id, $2, amount_fen, 'unknown', 'bill' FROM orders WHERE out_trade_no = $1`,
    [outTradeNo, transactionId],
  )
  return { outTradeNo, transactionId }
}

type Payment = { outTradeNo: string; transactionId: string }
const listOf = async (outTradeNo: string) =>
  (await desk.finance.refund.secondPayments.query({ outTradeNo })).items
const reservedOf = async (outTradeNo: string) => (await listOf(outTradeNo))[0]?.reservedFen ?? 0
const giveBack = async ({ outTradeNo, transactionId }: Payment, amountFen: number) =>
  desk.finance.refund.returnSecondPayment.mutate({
    ...{ outTradeNo, transactionId, amountFen, reservedFen: await reservedOf(outTradeNo) },
    ...{ reason: 'duplicate', note: 'paid twice' },
  })
/** A part of a payment was returned, and the platform has said this end of it. */
async function returned(payment: Payment, amountFen: number, end: RefundEnd = 'SUCCESS') {
  const { outRefundNo } = await giveBack(payment, amountFen)
  await trackRefund(world.services, { outRefundNo, attempt: 0 })
  await sayRefundEnd(world, outRefundNo, { end })
  return outRefundNo
}
const alertOf = async (subject: string, kind: string) =>
  (
    await world.query<{ open: boolean; detail: object }>(
      'SELECT resolved_at IS NULL AS open, detail FROM alerts WHERE subject = $1 AND kind = $2',
      [subject, kind],
    )
  )[0]
const threshold = (fen: number) => setSetting(world, 'refund_approval_threshold_fen', fen)

describe('the payments beside an order’s own', () => {
  test('are listed as they came, with what of each is left and what one person may return', async () => {
    const outTradeNo = await paid()
    await paidAgain(await paid())
    const one = await paidAgain(outTradeNo)
    const other = await paidByBill(outTradeNo, '4100000000000000000000000001')
    await askRefund(world, { outTradeNo, amountFen: 500, operatorId: desk.operatorId })
    await giveBack(one, 1000)
    const together = { outTradeNo, amountFen: 2900, reservedFen: 1000, aloneFen: 18_500 }
    const listed = await listOf(outTradeNo)
    expect(listed).toMatchObject([
      { ...together, transactionId: one.transactionId, refundableFen: 1900, paidAt: one.paidAt },
      { ...together, transactionId: other.transactionId, refundableFen: 2900, paidAt: null },
    ])
    const recordedAfter = listed.map(({ recordedAt }) => recordedAt.getTime() > one.paidAt.getTime())
    expect(recordedAfter).toEqual([true, true])
  })

  test('may be returned again where the platform closed the return, unless it then says that it is done', async () => {
    const payment = await paidAgain(await paid())
    const left = async () => (await listOf(payment.outTradeNo))[0]?.refundableFen
    const outRefundNo = await returned(payment, 1000, 'CLOSED')
    expect(await left()).toBe(2900)
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(409)
    expect(await left()).toBe(1900)
  })
})

describe('a return that is done after all', () => {
  test.each([
    { beside: 1900, sum: 'held' },
    { beside: 1901, sum: 'refunded_again' },
  ])('beside $beside fen that were returned meanwhile: its sum is $sum', async ({ beside, sum }) => {
    const outTradeNo = await paid()
    const [payment, other] = [await paidAgain(outTradeNo), await paidAgain(outTradeNo)]
    await giveBack(other, 2900)
    const outRefundNo = await returned(payment, 1000, 'CLOSED')
    await giveBack(payment, beside)
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(409)
    expect((await alertOf(outRefundNo, 'refund_contradicted'))?.detail).toMatchObject({ sum })
    expect(await reservedOf(outTradeNo)).toBe(2900 + beside + (sum === 'held' ? 1000 : 0))
  })
})

describe('the return of a second payment', () => {
  test('is one person’s up to the threshold for all refunds of the order, and not a fen more', async () => {
    const payment = await paidAgain(await paid())
    await askRefund(world, { outTradeNo: payment.outTradeNo, amountFen: 1000, operatorId: desk.operatorId })
    await threshold(2000)
    try {
      expect(await giveBack(payment, 1000)).toMatchObject({ state: 'approved' })
      expect(await giveBack(payment, 1)).toMatchObject({ state: 'requested' })
    } finally {
      await threshold(20_000)
    }
  })

  test('is on the timeline and in the audit log, and is sent where nobody has to approve it', async () => {
    const payment = await paidAgain(await paid('yearly'))
    const { outTradeNo, transactionId } = payment
    const sent = await giveBack(payment, 20_000)
    const waiting = await giveBack(payment, 6000)
    const told = await world.query(
      `SELECT e.from_status::text, e.to_status::text, e.channel, e.operator_id AS "operatorId", e.detail
       FROM order_events e JOIN orders o ON o.id = e.order_id
       WHERE o.out_trade_no = $1 AND e.kind = 'second_payment_refund_requested' ORDER BY e.id`,
      [outTradeNo],
    )
    const line = { from_status: 'paid', to_status: 'paid', channel: 'console', operatorId: desk.operatorId }
    const numberOf = ({ outRefundNo }: { outRefundNo: string }) => ({
      out_refund_no: outRefundNo,
      transaction_id: transactionId,
    })
    expect(told).toEqual([
      { ...line, detail: { ...numberOf(sent), amount_fen: 20_000 } },
      { ...line, detail: { ...numberOf(waiting), amount_fen: 6000 } },
    ])
    const acts = await world.query(
      `SELECT operator_id AS "operatorId", subject_type AS type, after FROM audit_entries
       WHERE subject_id = $1 AND action = 'refund.return_second_payment' ORDER BY id`,
      [outTradeNo],
    )
    const act = { transactionId, reason: 'duplicate', note: 'paid twice' }
    expect(acts).toEqual([
      { operatorId: desk.operatorId, type: 'order', after: { ...act, amountFen: 20_000 } },
      { operatorId: desk.operatorId, type: 'order', after: { ...act, amountFen: 6000 } },
    ])
    const jobs = await world.query(
      `SELECT key, payload FROM graphile_worker._private_jobs WHERE key = ANY($1)`,
      [[sent, waiting].map(({ outRefundNo }) => `refund:${outRefundNo}`)],
    )
    const payload = { outRefundNo: sent.outRefundNo, attempt: 0 }
    expect(jobs).toEqual([{ key: `refund:${sent.outRefundNo}`, payload }])
  })

  test('is possible for a year after it was paid, or recorded where nobody knows when, to the microsecond', async () => {
    const dated = await paidAgain(await paid())
    const undated = await paidByBill(dated.outTradeNo, '4100000000000000000000000002')
    let reservedFen = 0
    const ask = (payment: Payment) =>
      returnSecondPayment(
        world.services.database.pool,
        { ...payment, amountFen: 1, reservedFen, reason: 'duplicate', note: '' },
        { operatorId: desk.operatorId, from: { address: '', userAgent: '', requestId: '' } },
      )
    for (const payment of [dated, undated]) {
      const [end] = await world.query<{ before: string; at: string }>(
        `SELECT (at - interval '1 microsecond')::text AS before, at::text AS at
         FROM second_payments, LATERAL (SELECT coalesce(paid_at, recorded_at) + interval '365 days' AS at) year_over
         WHERE transaction_id = $1`,
        [payment.transactionId],
      )
      await stopClock(world, end?.before ?? '')
      expect(await ask(payment)).toMatchObject({ status: 'approved' })
      reservedFen += 1
      await stopClock(world, end?.at ?? '')
      await expect(ask(payment)).rejects.toMatchObject({ code: 'refund_not_possible' })
    }
  })
})
