import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { problemOf } from '../world/console.ts'
import { openRefundDesk, proveBoth, type RefundDesk } from '../world/refund-desk.ts'
import { askRefund, sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import { openTestWorld, type TestWorld } from '../world/test-world.ts'

let world: TestWorld
let desk: RefundDesk

beforeAll(async () => {
  world = await openTestWorld({ platform: { refundsSettleAfterMs: null } })
  desk = await openRefundDesk(world)
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  world.platform.weather.clear()
  await proveBoth(world, desk)
})

const threshold = (fen: number) =>
  world.query(`UPDATE settings SET value = to_jsonb($1::int) WHERE key = 'refund_approval_threshold_fen'`, [
    fen,
  ])

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
  const purchase = await phone.buys()
  await phone.pays(purchase)
  const outTradeNo = purchase.order.out_trade_no
  const { outRefundNo } = await askRefund(world, { outTradeNo, amountFen: 2900, operatorId })
  world.platform.weather.set([{ kind: 'error_before', at: 'refund', status: 404 }])
  await trackRefund(world.services, { outRefundNo, attempt: 0 })
  world.platform.weather.clear()
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
