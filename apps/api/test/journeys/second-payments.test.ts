import { beforeEach, describe, expect, test } from 'vitest'
import { checkInvariants } from '../../src/invariants/check-invariants.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { type Console, codeOf, idOf, problemOf, signedInConsole } from '../world/console.ts'
import { askRefund, sayRefundEnd } from '../world/send-refund.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const email = 'finance@example.com'
const secondEmail = 'second@example.com'
const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
const finance = useConsole(world, { email, role: 'finance' })
const second = useConsole(world, { email: secondEmail, role: 'finance' })

beforeEach(async () => {
  await finance.operator.prove.mutate({ code: await codeOf(world, email) })
  await second.operator.prove.mutate({ code: await codeOf(world, secondEmail) })
})

/** An order that was paid, and paid again by another transaction, which the platform told us of. */
async function paidTwice(plan = 'monthly') {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays(plan)
  await world.platform.pay(outTradeNo, { again: true, silent: true })
  const transactionId = world.platform.orders.get(outTradeNo)?.payments[1]?.transactionId ?? ''
  const tell = async () =>
    (await world.platform.deliver(world.platform.notification(outTradeNo, { transactionId }))).status
  expect(await tell()).toBe(409)
  return { phone, outTradeNo, transactionId, tell }
}

const listOf = async (outTradeNo: string) => (await finance.refund.secondPayments.query({ outTradeNo })).items
type Return = { outTradeNo: string; transactionId: string; amountFen?: number; reservedFen?: number }
const giveBack = (
  { outTradeNo, transactionId, amountFen = 2900, reservedFen = 0 }: Return,
  who: Console = finance,
) =>
  who.refund.returnSecondPayment.mutate({
    ...{ outTradeNo, transactionId, amountFen, reservedFen },
    ...{ reason: 'duplicate', note: 'paid twice' },
  })
const track = (outRefundNo: string) => trackRefund(world.services, { outRefundNo, attempt: 0 })
const orderOf = async (outTradeNo: string) => {
  const [order] = await world.query(
    `SELECT status::text, refund_reserved_fen AS reserved, refunded_fen AS refunded, second_refund_reserved_fen AS second
     FROM orders WHERE out_trade_no = $1`,
    [outTradeNo],
  )
  return order
}
const alertsOf = (subject: string) =>
  world.query<{ kind: string; open: boolean }>(
    'SELECT kind, resolved_at IS NULL AS open FROM alerts WHERE subject = $1 ORDER BY id',
    [subject],
  )
const untouched = { status: 'paid', reserved: 0, refunded: 0 }

describe('a second payment', () => {
  test('is recorded once with the alert, however often it is told, and changes nothing of the order', async () => {
    const { phone, outTradeNo, transactionId, tell } = await paidTwice()
    expect(await tell()).toBe(409)
    expect(await listOf(outTradeNo)).toMatchObject([
      {
        transactionId,
        amountFen: 2900,
        refundableFen: 2900,
        reservedFen: 0,
        payer: 'same',
        source: 'notification',
      },
    ])
    expect(await alertsOf(outTradeNo)).toEqual([{ kind: 'second_transaction', open: true }])
    expect(await orderOf(outTradeNo)).toEqual({ ...untouched, second: 0 })
    expect((await phone.subscription()).remaining_days).toBe(30)
  })

  test('goes back by its own number: order, refundable sum and days stay, and the alert is over', async () => {
    const { phone, outTradeNo, transactionId, tell } = await paidTwice()
    const { outRefundNo, state } = await giveBack({ outTradeNo, transactionId })
    expect(state).toBe('approved')
    await track(outRefundNo)
    expect(world.platform.refunds.get(outRefundNo)).toMatchObject({ transactionId, amountFen: 2900 })
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(204)
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(204)
    expect(await orderOf(outTradeNo)).toEqual({ ...untouched, second: 2900 })
    expect((await phone.subscription()).remaining_days).toBe(30)
    expect(await alertsOf(outTradeNo)).toEqual([{ kind: 'second_transaction', open: false }])
    expect(await tell()).toBe(204)
    expect(await alertsOf(outTradeNo)).toHaveLength(1)
    expect((await finance.refund.list.query({ search: outTradeNo })).items).toMatchObject([
      { outRefundNo, state: 'succeeded', secondTransactionId: transactionId },
    ])
    const order = await finance.order.detail.query({ outTradeNo })
    expect(order).toMatchObject({ refundableFen: 2900, refunds: [{ outRefundNo, ofSecondPayment: true }] })
    expect(order.events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([
        'second_transaction',
        'second_payment_refund_requested',
        'second_payment_refunded',
      ]),
    )
    await expect(
      askRefund(world, { outTradeNo, amountFen: 2900, operatorId: await idOf(world, email) }),
    ).resolves.toBeDefined()
    expect(await checkInvariants(world.services.database.pool)).toEqual([])
    expect((await verifyLedger(world.services.database.pool)).differences).toEqual([])
  })

  test('never gives back more than was paid, also when asked at once', async () => {
    const { outTradeNo, transactionId } = await paidTwice()
    const ask = (amountFen: number, reservedFen = 0) =>
      giveBack({ outTradeNo, transactionId, amountFen, reservedFen })
    expect(await problemOf(ask(2901))).toBe('refund_not_possible')
    const answers = await Promise.allSettled([ask(2000), ask(2000), ask(2000)])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await problemOf(ask(500))).toBe('refund_not_possible')
    expect(await problemOf(ask(901, 2000))).toBe('refund_not_possible')
    expect(await ask(900, 2000)).toMatchObject({ amountFen: 900 })
    expect(await orderOf(outTradeNo)).toEqual({ ...untouched, second: 2900 })
  })

  test('of another order, or of none, is returned to nobody', async () => {
    const one = await paidTwice()
    const other = await paidTwice()
    const { outTradeNo } = one
    const own = world.platform.orders.get(outTradeNo)?.payments[0]?.transactionId ?? ''
    for (const transactionId of [other.transactionId, own, '4200000000000000000000000000'])
      expect(await problemOf(giveBack({ outTradeNo, transactionId }))).toBe('refund_not_possible')
    const { console: desk } = await signedInConsole(world, { email: 'desk@example.com', role: 'operator' })
    expect(await problemOf(giveBack(one, desk))).toBe('forbidden')
  })

  test('above the threshold of all refunds of the order it waits for a second person', async () => {
    const { outTradeNo, transactionId } = await paidTwice('yearly')
    const asked = { outTradeNo, transactionId }
    const { outRefundNo, state } = await giveBack({ ...asked, amountFen: 26_800 })
    expect(state).toBe('requested')
    const decide = (who: Console) => who.refund.decide.mutate({ outRefundNo, approve: true })
    expect(await problemOf(decide(finance))).toBe('second_person_required')
    expect(await decide(second)).toMatchObject({ state: 'approved' })
    const ofOrder = { outTradeNo, amountFen: 1, operatorId: await idOf(world, email) }
    expect(await askRefund(world, ofOrder)).toMatchObject({ status: 'requested' })
    expect(await finance.refund.preview.query({ outTradeNo, amountFen: 1 })).toMatchObject({
      needsSecondPerson: true,
      refundableFen: 26_799,
    })
  })

  test('whose refund the platform closes, and then reports done, is a contradiction with its sum held', async () => {
    const { phone, outTradeNo, transactionId } = await paidTwice()
    const { outRefundNo } = await giveBack({ outTradeNo, transactionId })
    await track(outRefundNo)
    await sayRefundEnd(world, outRefundNo, { end: 'CLOSED' })
    expect(await orderOf(outTradeNo)).toMatchObject({ second: 0 })
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(409)
    expect(await orderOf(outTradeNo)).toEqual({ ...untouched, second: 2900 })
    await second.refund.decideContradiction.mutate({ outRefundNo, accept: 'succeeded', note: 'it arrived' })
    expect(await orderOf(outTradeNo)).toEqual({ ...untouched, second: 2900 })
    expect((await phone.subscription()).remaining_days).toBe(30)
    expect(await alertsOf(outTradeNo)).toEqual([{ kind: 'second_transaction', open: false }])
  })

  test('that was returned again meanwhile is not covered a second time', async () => {
    const { outTradeNo, transactionId } = await paidTwice()
    const { outRefundNo } = await giveBack({ outTradeNo, transactionId })
    await track(outRefundNo)
    await sayRefundEnd(world, outRefundNo, { end: 'CLOSED' })
    await giveBack({ outTradeNo, transactionId })
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(409)
    const accept = { outRefundNo, accept: 'succeeded', note: 'twice' } as const
    expect(await problemOf(second.refund.decideContradiction.mutate(accept))).toBe('refund_not_possible')
    expect(await orderOf(outTradeNo)).toEqual({ ...untouched, second: 2900 })
  })

  test('whose refund names the order’s own transaction settles nothing', async () => {
    const { outTradeNo, transactionId } = await paidTwice()
    const own = world.platform.orders.get(outTradeNo)?.payments[0]?.transactionId ?? ''
    const { outRefundNo } = await giveBack({ outTradeNo, transactionId })
    await track(outRefundNo)
    const changes = { transactionId: own }
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS', changes })).toBe(409)
    expect(await alertsOf(outRefundNo)).toEqual([{ kind: 'refund_mismatch', open: true }])
    expect(await orderOf(outTradeNo)).toEqual({ ...untouched, second: 2900 })
  })

  test('is returned while its order waits, parked, and takes the order out of nothing', async () => {
    const { outTradeNo, transactionId } = await paidTwice('yearly')
    await world.query(
      `UPDATE orders SET parked = true, park_reason = 'late_payment', late = true WHERE out_trade_no = $1`,
      [outTradeNo],
    )
    const { outRefundNo } = await giveBack({ outTradeNo, transactionId, amountFen: 26_800 })
    await second.refund.decide.mutate({ outRefundNo, approve: true })
    await track(outRefundNo)
    expect(world.platform.refunds.has(outRefundNo)).toBe(true)
    const parked = await world.query('SELECT parked FROM orders WHERE out_trade_no = $1', [outTradeNo])
    expect(parked).toEqual([{ parked: true }])
  })

  test('is held by the database: no payment of an order, no rewriting, no days, never more than was paid', async () => {
    const { outTradeNo } = await paidTwice()
    const insert = (transaction: string) =>
      world.query(
        `INSERT INTO second_payments (order_id, transaction_id, amount_fen, payer, source)
         SELECT id, ${transaction}, 1, 'unknown', 'bill' FROM orders WHERE out_trade_no = $1`,
        [outTradeNo],
      )
    await expect(insert('transaction_id')).rejects.toThrow(/is no second payment/)
    const refund = (columns: string) =>
      world.query(
        `INSERT INTO refunds (out_refund_no, order_id, second_payment_id, amount_fen, reason_code, keep_days)
         SELECT 'R' || repeat('7', 26), o.id, p.id, ${columns} FROM orders o JOIN second_payments p ON p.order_id = o.id
         WHERE o.out_trade_no = $1`,
        [outTradeNo],
      )
    await expect(refund(`1, 'other', false`)).rejects.toThrow(/second_payment_keeps_days/)
    await expect(refund(`2901, 'other', true`)).rejects.toThrow(/refunds exceed payment/)
    await expect(world.query('UPDATE second_payments SET amount_fen = 1')).rejects.toThrow(/append-only/)
  })
})
