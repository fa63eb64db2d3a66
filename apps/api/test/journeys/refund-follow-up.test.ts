import { expect, test } from 'vitest'
import { listenToOrders } from '../../src/platform/measures/order-measures.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { problemOf } from '../world/console.ts'
import { payAgain } from '../world/pay-again.ts'
import { useRefundDesk } from '../world/refund-desk.ts'
import { askRefund, sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
const desk = useRefundDesk(world)

const sent = async () => sendRefund(world, { phone: await world.phone(), operatorId: desk.operatorId })
const waitingFor = async (outRefundNo: string) =>
  (await world.query('SELECT 1 FROM graphile_worker.jobs WHERE key = $1', [`refund:${outRefundNo}`])).length
const forget = (outRefundNo: string) =>
  world.query('SELECT graphile_worker.remove_job($1)', [`refund:${outRefundNo}`])

test('a refund that is on its way is asked about again, and one that the question finds done is not', async () => {
  const { outRefundNo } = await sent()
  expect(await waitingFor(outRefundNo)).toBe(1)
  await forget(outRefundNo)
  Object.assign(world.platform.refunds.get(outRefundNo) ?? {}, {
    status: 'SUCCESS',
    succeededAt: world.services.runtime.now(),
  })
  await trackRefund(world.services, { outRefundNo, attempt: 1 })
  expect(await desk.second.refund.detail.query({ outRefundNo })).toMatchObject({ state: 'succeeded' })
  expect(await waitingFor(outRefundNo)).toBe(0)
})

test('a refund that has ended is not asked about where its job comes late', async () => {
  const { outRefundNo } = await sent()
  expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(204)
  await forget(outRefundNo)
  const asked = world.platform.requests.length
  await trackRefund(world.services, { outRefundNo, attempt: 1 })
  expect(world.platform.requests.length).toBe(asked)
  expect(await waitingFor(outRefundNo)).toBe(0)
})

test('a newcomer who overlooks what was refunded meanwhile is told of that up to the threshold, of the account above', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys('yearly')
  await phone.pays(purchase)
  const overlooking = (amountFen: number) =>
    desk.newcomer.refund.request.mutate({
      ...{ outTradeNo: purchase.order.out_trade_no, amountFen, reservedFen: 1 },
      ...{ keepDays: false, reason: 'user_request', note: '' },
    })
  expect(await problemOf(overlooking(20_000))).toBe('refund_not_possible')
  expect(await problemOf(overlooking(20_001))).toBe('account_too_new')
})

test('an order counts as refunded once, when the last fen of it is back, and a part of it does not', async () => {
  const moves: string[] = []
  listenToOrders({ onMove: ({ move }) => moves.push(move), onGrant: () => undefined })
  const phone = await world.phone()
  const { operatorId } = desk
  const { outTradeNo, outRefundNo } = await sendRefund(world, { phone, operatorId, amountFen: 2899 })
  moves.length = 0
  expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(204)
  expect(moves).toEqual([])
  const rest = await askRefund(world, { outTradeNo, amountFen: 1, operatorId })
  await trackRefund(world.services, { outRefundNo: rest.outRefundNo, attempt: 0 })
  expect(await sayRefundEnd(world, rest.outRefundNo, { end: 'SUCCESS' })).toBe(204)
  expect(moves).toEqual(['refund'])
  expect(await sayRefundEnd(world, rest.outRefundNo, { end: 'SUCCESS' })).toBe(204)
  expect(moves).toEqual(['refund'])
})

/** What the alert about two ends of a refund says of its sum. */
const sumOf = async (outRefundNo: string) =>
  (
    await world.query<{ sum: string }>(
      `SELECT detail ->> 'sum' AS sum FROM alerts WHERE kind = 'refund_contradicted' AND subject = $1`,
      [outRefundNo],
    )
  )[0]?.sum

test.each([
  { others: 49, sum: 'held' },
  { others: 50, sum: 'refunded_again' },
])(
  'a refund that is done after all beside $others others: an order has fifty, its sum is $sum',
  async ({ others, sum }) => {
    const { operatorId } = desk
    const sending = { phone: await world.phone(), operatorId, amountFen: 2 }
    const { outTradeNo, outRefundNo } = await sendRefund(world, sending)
    expect(await sayRefundEnd(world, outRefundNo, { end: 'CLOSED' })).toBe(204)
    for (let count = 0; count < others; count += 1)
      await askRefund(world, { outTradeNo, amountFen: 2, operatorId })
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(409)
    expect(await sumOf(outRefundNo)).toBe(sum)
  },
)

test('a second payment that is back keeps its sum where the platform then calls its return closed', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase)
  const payment = await payAgain(world, purchase.order.out_trade_no)
  const asked = { ...payment, amountFen: 2900, reservedFen: 0, reason: 'duplicate', note: '' } as const
  const { outRefundNo } = await desk.finance.refund.returnSecondPayment.mutate(asked)
  await trackRefund(world.services, { outRefundNo, attempt: 0 })
  expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(204)
  expect(await sayRefundEnd(world, outRefundNo, { end: 'CLOSED' })).toBe(409)
  expect(await sumOf(outRefundNo)).toBe('held')
})

test('an end that the platform says again and again is one contradiction on the timeline', async () => {
  const { outTradeNo, outRefundNo } = await sent()
  expect(await sayRefundEnd(world, outRefundNo, { end: 'CLOSED' })).toBe(204)
  for (let times = 0; times < 3; times += 1)
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(409)
  const { events } = await desk.finance.order.detail.query({ outTradeNo })
  expect(events.filter(({ kind }) => kind === 'refund_contradicted')).toHaveLength(1)
  const [alert] = await world.query(
    `SELECT times FROM alerts WHERE kind = 'refund_contradicted' AND subject = $1`,
    [outRefundNo],
  )
  expect(alert).toEqual({ times: 3 })
})

const threshold = (fen: number) => setSetting(world, 'refund_approval_threshold_fen', fen)

test('a refund that is done after all beside another one takes a second person for the sum of both', async () => {
  const { operatorId, finance, second } = desk
  const { outTradeNo, outRefundNo } = await sendRefund(world, { phone: await world.phone(), operatorId })
  expect(await sayRefundEnd(world, outRefundNo, { end: 'CLOSED' })).toBe(204)
  await askRefund(world, { outTradeNo, amountFen: 2900, operatorId })
  expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(409)
  const decision = { outRefundNo, accept: 'closed', note: 'the other one arrived' } as const
  await threshold(5799)
  try {
    expect(await problemOf(finance.refund.decideContradiction.mutate(decision))).toBe(
      'second_person_required',
    )
    await threshold(5800)
    await finance.refund.decideContradiction.mutate(decision)
  } finally {
    await threshold(20_000)
  }
  expect(await second.refund.detail.query({ outRefundNo })).toMatchObject({ state: 'closed' })
})

test('an order that is not paid is refused for that, however much a newcomer asks back of it', async () => {
  const { order } = await (await world.phone()).buys('yearly')
  const paid = await world.phone()
  await paid.pays(await paid.buys('yearly'))
  const asked = desk.newcomer.refund.request.mutate({
    ...{ outTradeNo: order.out_trade_no, amountFen: 26_800, reservedFen: 0 },
    ...{ keepDays: false, reason: 'user_request', note: '' },
  })
  expect(await problemOf(asked)).toBe('refund_not_possible')
})

test('who asks to give up a refund leaves how it stood, on the request and in the audit log', async () => {
  const { operatorId, finance } = desk
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  const { outRefundNo } = await askRefund(world, { outTradeNo, amountFen: 2900, operatorId })
  world.platform.faults.set([{ kind: 'error_before', at: 'refund', status: 404 }])
  await trackRefund(world.services, { outRefundNo, attempt: 0 })
  world.platform.faults.clear()
  const reason = 'WeChat knows no such order'
  await finance.refund.requestStop.mutate({ outRefundNo, reason })
  const [waiting] = await world.query(
    `SELECT before, after, requested_by::text AS by FROM approval_requests
     WHERE kind = 'refund_stop' AND subject = $1`,
    [outRefundNo],
  )
  const before = { status: 'approved', failure: expect.stringMatching(/^[A-Z_]+$/) }
  expect(waiting).toEqual({ before, after: { reason }, by: operatorId })
  const [entry] = await world.query(
    `SELECT before, after, operator_id::text AS by, subject_type AS type FROM audit_entries
     WHERE action = 'refund.request_stop' AND subject_id = $1`,
    [outRefundNo],
  )
  expect(entry).toEqual({ before, after: { reason }, by: operatorId, type: 'refund' })
})
