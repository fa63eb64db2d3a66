import { describe, expect, test } from 'vitest'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { problemOf, signInAnew } from '../world/console.ts'
import { useRefundDesk } from '../world/refund-desk.ts'
import { askRefund, sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
const desk = useRefundDesk(world)

const paidOrder = async (plan = 'monthly') => (await world.phone()).buysAndPays(plan)

/** An order that was paid, and paid again by another transaction, which the platform told us of. */
async function paidTwice(plan: string) {
  const outTradeNo = await paidOrder(plan)
  await world.platform.pay(outTradeNo, { again: true, silent: true })
  const transactionId = world.platform.orders.get(outTradeNo)?.payments[1]?.transactionId ?? ''
  await world.platform.deliver(world.platform.notification(outTradeNo, { transactionId }))
  return { outTradeNo, transactionId }
}

const back = (payment: { outTradeNo: string; transactionId: string }, amountFen: number) => ({
  ...payment,
  ...{ amountFen, reservedFen: 0, reason: 'duplicate' as const, note: 'paid twice' },
})

describe('a second payment', () => {
  test('above the threshold is not asked back by a newcomer, who is told why; a small part of it is', async () => {
    const payment = await paidTwice('yearly')
    const asked = (amountFen: number) =>
      desk.newcomer.refund.returnSecondPayment.mutate(back(payment, amountFen))
    expect(await problemOf(asked(26_800))).toBe('account_too_new')
    expect(await asked(100)).toMatchObject({ state: 'approved' })
  })

  test('that is less than what is asked for is refused for that, whoever asks', async () => {
    const payment = await paidTwice('monthly')
    const asked = desk.newcomer.refund.returnSecondPayment.mutate(back(payment, 2901))
    expect(await problemOf(asked)).toBe('refund_not_possible')
  })

  test('leaves what was not returned of it, and its alert open until every payment of the order is back', async () => {
    const one = await paidTwice('monthly')
    const { outTradeNo } = one
    await world.platform.pay(outTradeNo, { again: true, silent: true })
    const transactionId = world.platform.orders.get(outTradeNo)?.payments[2]?.transactionId ?? ''
    await world.platform.deliver(world.platform.notification(outTradeNo, { transactionId }))
    const returned = async (payment: typeof one, amountFen: number, reservedFen: number) => {
      const asked = { ...back(payment, amountFen), reservedFen }
      const { outRefundNo } = await desk.finance.refund.returnSecondPayment.mutate(asked)
      await trackRefund(world.services, { outRefundNo, attempt: 0 })
      expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(204)
    }
    const left = async () =>
      (await desk.finance.refund.secondPayments.query({ outTradeNo })).items.map(
        ({ refundableFen }) => refundableFen,
      )
    const isOpen = async () =>
      (
        await world.query(
          `SELECT 1 FROM alerts WHERE kind = 'second_transaction' AND subject = $1 AND resolved_at IS NULL`,
          [outTradeNo],
        )
      ).length > 0
    await returned(one, 100, 0)
    expect([await left(), await isOpen()]).toEqual([[2800, 2900], true])
    await returned(one, 2800, 100)
    expect([await left(), await isOpen()]).toEqual([[0, 2900], true])
    await returned({ outTradeNo, transactionId }, 2900, 2900)
    expect([await left(), await isOpen()]).toEqual([[0, 0], false])
  })

  test('goes back within 365 days and not after', async () => {
    const payment = await paidTwice('monthly')
    await world.passTime({ days: 364, hours: 23 })
    const again = async (email: string) => (await signInAnew(world, email)).console
    ;[desk.finance, desk.second] = [await again(desk.emails[0]), await again(desk.emails[1])]
    expect(await desk.finance.refund.returnSecondPayment.mutate(back(payment, 100))).toMatchObject({
      state: 'approved',
    })
    await world.passTime({ hours: 2 })
    ;[desk.finance, desk.second] = [await again(desk.emails[0]), await again(desk.emails[1])]
    const rest = { ...back(payment, 100), reservedFen: 100 }
    expect(await problemOf(desk.finance.refund.returnSecondPayment.mutate(rest))).toBe('refund_not_possible')
  })
})

test('a refund of exactly the threshold that ended twice is decided by one person: its sum counts once', async () => {
  const phone = await world.phone()
  const { outRefundNo } = await sendRefund(world, { phone, operatorId: desk.operatorId })
  expect(await sayRefundEnd(world, outRefundNo, { end: 'CLOSED' })).toBe(204)
  expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(409)
  const threshold = (fen: number) => setSetting(world, 'refund_approval_threshold_fen', fen)
  await threshold(2900)
  await desk.finance.refund.decideContradiction.mutate({
    outRefundNo,
    accept: 'succeeded',
    note: 'it arrived',
  })
  await threshold(20_000)
  expect(await desk.finance.refund.detail.query({ outRefundNo })).toMatchObject({ state: 'succeeded' })
})

describe('a refund that was to be stopped', () => {
  const reason = 'WeChat knows no such order'
  async function toBeStopped() {
    const outTradeNo = await paidOrder()
    const { outRefundNo } = await askRefund(world, {
      outTradeNo,
      amountFen: 2900,
      operatorId: desk.operatorId,
    })
    world.platform.faults.set([{ kind: 'error_before', at: 'refund', status: 404 }])
    await trackRefund(world.services, { outRefundNo, attempt: 0 })
    world.platform.faults.clear()
    const { waitingStop } = await desk.finance.refund.requestStop.mutate({ outRefundNo, reason })
    return { outRefundNo, id: waitingStop?.id ?? '' }
  }
  const questionsSince = (count: number) =>
    world.platform.requests.slice(count).filter(({ path }) => path.includes('/refunds/')).length

  test('and went through meanwhile is left as it is, and the platform is asked nothing', async () => {
    const { outRefundNo, id } = await toBeStopped()
    await trackRefund(world.services, { outRefundNo, attempt: 1 })
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(204)
    const before = world.platform.requests.length
    const decided = await desk.second.refund.decideStop.mutate({ outRefundNo, id, approve: true })
    expect(decided).toMatchObject({ state: 'succeeded', waitingStop: null, stop: null })
    expect(questionsSince(before)).toBe(0)
  })

  test('is asked about once before it is stopped', async () => {
    const { outRefundNo, id } = await toBeStopped()
    const before = world.platform.requests.length
    const decided = await desk.second.refund.decideStop.mutate({ outRefundNo, id, approve: true })
    expect(decided).toMatchObject({ state: 'stopped' })
    expect(questionsSince(before)).toBe(1)
  })
})
