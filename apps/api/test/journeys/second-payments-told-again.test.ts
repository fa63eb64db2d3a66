import { beforeAll, describe, expect, test } from 'vitest'
import { applyPayment } from '../../src/payments/apply-payment.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { type Console, idOf, signedInConsole } from '../world/console.ts'
import { deliver, payInSilence } from '../world/pay-in-silence.ts'
import type { Phone } from '../world/phone.ts'
import { type RefundEnd, sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import { tamper } from '../world/tamper.ts'
import { untilWaiting } from '../world/until-waiting.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
let finance: Console
let operatorId: string

beforeAll(async () => {
  const email = 'finance@example.com'
  finance = (await signedInConsole(world, { email, role: 'finance' })).console
  operatorId = await idOf(world, email)
})

/** An order that was paid, and what the platform tells of another payment of it. */
async function paidOnce() {
  const { phone, outTradeNo } = await payInSilence(world)
  expect((await deliver(world, outTradeNo)).status).toBe(204)
  const transactionId = `42001${outTradeNo.slice(-20)}`
  const paidAt = new Date('2026-11-20T08:00:00Z')
  const tell = async (changes: { payerOpenid?: string; id?: string } = {}) =>
    (await deliver(world, outTradeNo, { transactionId, paidAt, ...changes })).status
  return { phone, outTradeNo, transactionId, paidAt, tell }
}

/** An order that the platform holds as paid twice: `tell` tells of the second payment. */
async function paidTwice() {
  const { phone, outTradeNo } = await payInSilence(world)
  await deliver(world, outTradeNo)
  await world.platform.pay(outTradeNo, { again: true, silent: true })
  const transactionId = world.platform.orders.get(outTradeNo)?.payments[1]?.transactionId ?? ''
  const tell = async () => (await deliver(world, outTradeNo, { transactionId })).status
  expect(await tell()).toBe(409)
  return { phone, outTradeNo, transactionId, tell }
}

const secondsOf = (outTradeNo: string) =>
  world.query(
    `SELECT s.transaction_id AS "transactionId", s.amount_fen AS fen, s.payer, s.source::text, s.paid_at AS "paidAt"
     FROM second_payments s JOIN orders o ON o.id = s.order_id WHERE o.out_trade_no = $1 ORDER BY s.id`,
    [outTradeNo],
  )
const alertsOf = (subject: string) =>
  world.query('SELECT kind, detail FROM alerts WHERE subject = $1 ORDER BY id', [subject])
const inboxOf = async (id: string) => {
  const [kept] = await world.query('SELECT outcome::text, detail FROM notifications WHERE id = $1', [id])
  return kept
}

/** The payment that the platform holds of this order, the last one where there are several. */
async function askedOf(outTradeNo: string) {
  const answer = await world.services.payments?.queryOrder(outTradeNo)
  if (answer?.state !== 'paid') throw new Error('the platform holds this order as paid')
  return answer.payment
}

/** So much of a second payment goes back, and the platform says how that ended; nothing where it is not said yet. */
async function giveBack(
  { outTradeNo, transactionId }: { outTradeNo: string; transactionId: string },
  { amountFen, reservedFen = 0, end }: { amountFen: number; reservedFen?: number; end: RefundEnd | null },
) {
  const { outRefundNo } = await finance.refund.returnSecondPayment.mutate({
    ...{ outTradeNo, transactionId, amountFen, reservedFen, reason: 'duplicate', note: 'paid twice' },
  })
  await trackRefund(world.services, { outRefundNo, attempt: 0 })
  if (end) expect(await sayRefundEnd(world, outRefundNo, { end })).toBe(204)
}

const erase = (phone: Phone) =>
  phone.call('/me', {
    method: 'DELETE',
    body: { confirm: 'DELETE', code: world.platform.loginCode(phone.openid) },
  })

describe('a second payment is recorded', () => {
  test('with its own sum, instant and source, and whether the payer of the order made it', async () => {
    const { outTradeNo, transactionId, paidAt, tell } = await paidOnce()
    expect(await tell()).toBe(409)
    const recorded = { transactionId, fen: 2900, source: 'notification', paidAt }
    expect(await secondsOf(outTradeNo)).toEqual([{ ...recorded, payer: 'same' }])
    expect(await alertsOf(outTradeNo)).toEqual([
      { kind: 'second_transaction', detail: { transaction_id: transactionId } },
    ])
  })

  test('as that of another where somebody else paid it', async () => {
    const { outTradeNo, tell } = await paidOnce()
    expect(await tell({ payerOpenid: 'o-somebody-else' })).toBe(409)
    expect(await secondsOf(outTradeNo)).toMatchObject([{ payer: 'other' }])
  })

  test('as that of nobody known where the account of the payer was erased', async () => {
    const { phone, outTradeNo, tell } = await paidOnce()
    expect((await erase(phone)).status).toBe(204)
    const id = `EV-${outTradeNo}`
    expect(await tell({ id })).toBe(409)
    expect(await secondsOf(outTradeNo)).toMatchObject([{ payer: 'unknown' }])
    const kept = await world.query(
      `SELECT 1 FROM notifications WHERE id = $1 AND payload::text LIKE '%' || $2 || '%'`,
      [id, phone.openid],
    )
    expect(kept).toEqual([])
  })

  test('under no order where the transaction paid another order', async () => {
    const [one, other] = [await paidOnce(), await paidOnce()]
    const [own] = world.platform.orders.get(other.outTradeNo)?.payments ?? []
    const transactionId = own?.transactionId ?? ''
    expect((await deliver(world, one.outTradeNo, { transactionId })).status).toBe(409)
    expect(await secondsOf(one.outTradeNo)).toEqual([])
    expect(await alertsOf(one.outTradeNo)).toMatchObject([{ kind: 'second_transaction' }])
  })

  test('when two payments of one order arrive at the same instant', async () => {
    const { phone, outTradeNo } = await payInSilence(world)
    const first = await askedOf(outTradeNo)
    await world.platform.pay(outTradeNo, { again: true, silent: true })
    const payments = [first, await askedOf(outTradeNo)]
    const pool = world.services.database.pool
    const holder = await pool.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT FROM orders WHERE out_trade_no = $1 FOR UPDATE', [outTradeNo])
    const arrivals = payments.map((payment) =>
      applyPayment(pool, payment, { confirmedBy: 'sync', requestId: null }),
    )
    await untilWaiting(world, 2)
    await holder.query('COMMIT')
    holder.release()
    expect((await Promise.all(arrivals)).sort()).toEqual(['applied', 'second_transaction'])
    expect(await secondsOf(outTradeNo)).toMatchObject([{ fen: 2900, payer: 'same', source: 'sync' }])
    expect(await alertsOf(outTradeNo)).toMatchObject([{ kind: 'second_transaction' }])
    expect((await phone.subscription()).remaining_days).toBe(30)
  })
})

describe('a second payment that is told again', () => {
  test('is refused while any fen of it is not back, whatever of other payments is', async () => {
    await giveBack(await paidTwice(), { amountFen: 2900, end: 'SUCCESS' })
    const { outRefundNo } = await sendRefund(world, { phone: await world.phone(), operatorId })
    await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })
    const one = await paidTwice()
    expect(await one.tell()).toBe(409)
    await giveBack(one, { amountFen: 2899, end: 'SUCCESS' })
    expect(await one.tell()).toBe(409)
    await giveBack(one, { amountFen: 1, reservedFen: 2899, end: 'SUCCESS' })
    expect(await one.tell()).toBe(204)
  })

  test('is refused while its refund is only on its way', async () => {
    const one = await paidTwice()
    await giveBack(one, { amountFen: 2900, end: null })
    expect(await one.tell()).toBe(409)
  })
})

describe('what the platform says of a refund', () => {
  const send = async () => sendRefund(world, { phone: await world.phone(), operatorId })
  const says = (outRefundNo: string, end: RefundEnd, changes: { id: string; amountFen?: number }) =>
    sayRefundEnd(world, outRefundNo, { end, changes })

  test('leaves in the inbox what became of it, and nothing further where it fits', async () => {
    const { outRefundNo } = await send()
    expect(await says(outRefundNo, 'SUCCESS', { id: `EV-1-${outRefundNo}` })).toBe(204)
    expect(await inboxOf(`EV-1-${outRefundNo}`)).toEqual({ outcome: 'applied', detail: {} })
    expect(await says(outRefundNo, 'SUCCESS', { id: `EV-2-${outRefundNo}` })).toBe(204)
    expect(await inboxOf(`EV-2-${outRefundNo}`)).toEqual({ outcome: 'already_paid', detail: {} })
  })

  test('leaves what differs where it does not fit', async () => {
    const { outRefundNo } = await send()
    expect(await says(outRefundNo, 'SUCCESS', { id: `EV-${outRefundNo}`, amountFen: 1 })).toBe(409)
    const differs = { refund: { ours: 2900, theirs: 1 } }
    const detail = { fields: ['refund'], differs }
    expect(await inboxOf(`EV-${outRefundNo}`)).toEqual({ outcome: 'mismatch', detail })
  })

  test('leaves that it contradicts an earlier word', async () => {
    const { outRefundNo } = await send()
    expect(await says(outRefundNo, 'CLOSED', { id: `EV-1-${outRefundNo}` })).toBe(204)
    expect(await says(outRefundNo, 'SUCCESS', { id: `EV-2-${outRefundNo}` })).toBe(409)
    const kept = { outcome: 'mismatch', detail: { verdict: 'contradicted' } }
    expect(await inboxOf(`EV-2-${outRefundNo}`)).toEqual(kept)
  })

  test('is kept as none of ours where we asked for no such refund', async () => {
    const { outRefundNo } = await send()
    const renumber = `UPDATE refunds SET out_refund_no = 'R${'9'.repeat(26)}' WHERE out_refund_no = '${outRefundNo}'`
    await tamper(world, renumber)
    expect(await says(outRefundNo, 'SUCCESS', { id: `EV-${outRefundNo}` })).toBe(204)
    expect(await inboxOf(`EV-${outRefundNo}`)).toEqual({ outcome: 'ignored', detail: {} })
  })
})
