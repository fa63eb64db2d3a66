import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { type Console, codeOf, idOf, problemOf, signedInConsole } from '../world/console.ts'
import type { Phone } from '../world/phone.ts'
import { askRefund, type RefundEnd, sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { tamper } from '../world/tamper.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const finance = useConsole(world, 'finance')
let operatorId: string

beforeAll(async () => {
  operatorId = await idOf(world, 'finance@example.com')
})

const request = (outTradeNo: string, amountFen: number) =>
  askRefund(world, { outTradeNo, amountFen, operatorId })
const refundSent = (phone: Phone, amountFen = 2900) => sendRefund(world, { phone, operatorId, amountFen })
const says = (outRefundNo: string, end: RefundEnd, changes: object = {}) =>
  sayRefundEnd(world, outRefundNo, { end, changes })

/** Shows the second factor of this session once more. */
const prove = async (console: Console, email: string) =>
  console.operator.prove.mutate({ code: await codeOf(world, email) })

const orderOf = async (outTradeNo: string) => {
  const [order] = await world.query<{ status: string; reserved: number; refunded: number }>(
    `SELECT status::text, refund_reserved_fen AS reserved, refunded_fen AS refunded FROM orders WHERE out_trade_no = $1`,
    [outTradeNo],
  )
  return order
}
/** Whether the list marks the refunds of an order as waiting for a decision between two ends. */
const isMarked = async (outTradeNo: string) =>
  (await finance.refund.list.query({ search: outTradeNo })).items.map(({ contradicted }) => contradicted)
const alertsOf = (outRefundNo: string) =>
  world.query<{ kind: string; detail: object; resolution: string | null }>(
    'SELECT kind, detail, resolution FROM alerts WHERE subject = $1 ORDER BY id',
    [outRefundNo],
  )

describe('a success after the end "closed"', () => {
  test('is answered with a failure, raises an alert and holds the sum until finance decides', async () => {
    const phone = await world.phone()
    const { outTradeNo, outRefundNo } = await refundSent(phone)
    expect(await says(outRefundNo, 'CLOSED')).toBe(204)
    expect(await orderOf(outTradeNo)).toMatchObject({ reserved: 0 })
    expect(await says(outRefundNo, 'SUCCESS')).toBe(409)
    expect(await says(outRefundNo, 'SUCCESS')).toBe(409)
    expect(await orderOf(outTradeNo)).toMatchObject({ reserved: 2900, refunded: 0 })
    expect((await alertsOf(outRefundNo)).map(({ kind }) => kind)).toEqual([
      'refund_closed',
      'refund_contradicted',
    ])
    await expect(request(outTradeNo, 1)).rejects.toMatchObject({ code: 'refund_not_possible' })
    expect(await finance.refund.detail.query({ outRefundNo })).toMatchObject({
      status: 'closed',
      contradiction: { saidStatus: 'succeeded', held: true, decidedAt: null },
    })
    expect(await isMarked(outTradeNo)).toEqual([true])
    expect((await phone.subscription()).remaining_days).toBe(30)
  })

  test('accepted, it refunds the order, takes its days and ends the alert; repeats change nothing further', async () => {
    const phone = await world.phone()
    const { outTradeNo, outRefundNo } = await refundSent(phone)
    await says(outRefundNo, 'CLOSED')
    await says(outRefundNo, 'SUCCESS')
    const note = 'the bank confirms it'
    await finance.refund.decideContradiction.mutate({ outRefundNo, accept: 'succeeded', note })
    expect(await orderOf(outTradeNo)).toEqual({ status: 'refunded', reserved: 2900, refunded: 2900 })
    expect((await phone.subscription()).remaining_days).toBe(0)
    expect((await alertsOf(outRefundNo)).at(-1)).toMatchObject({ resolution: note })
    expect(await says(outRefundNo, 'SUCCESS')).toBe(204)
    expect(await says(outRefundNo, 'CLOSED')).toBe(204)
    expect(await orderOf(outTradeNo)).toMatchObject({ status: 'refunded' })
    const again = finance.refund.decideContradiction.mutate({ outRefundNo, accept: 'closed', note })
    expect(await problemOf(again)).toBe('changed_meanwhile')
  })

  test('refused, the refund stays closed, its sum is refundable again and repeats change nothing further', async () => {
    const { outTradeNo, outRefundNo } = await refundSent(await world.phone())
    await says(outRefundNo, 'CLOSED')
    await says(outRefundNo, 'SUCCESS')
    await finance.refund.decideContradiction.mutate({ outRefundNo, accept: 'closed', note: 'no money moved' })
    expect(await isMarked(outTradeNo)).toEqual([false])
    expect(await orderOf(outTradeNo)).toEqual({ status: 'paid', reserved: 0, refunded: 0 })
    expect(await says(outRefundNo, 'SUCCESS')).toBe(204)
    expect(await orderOf(outTradeNo)).toMatchObject({ reserved: 0 })
    await expect(request(outTradeNo, 2900)).resolves.toMatchObject({ status: 'approved' })
  })

  test('of a sum that was refunded again already says so, and cannot be accepted as well', async () => {
    const { outTradeNo, outRefundNo } = await refundSent(await world.phone())
    await says(outRefundNo, 'CLOSED')
    await request(outTradeNo, 2900)
    expect(await says(outRefundNo, 'SUCCESS')).toBe(409)
    expect(await orderOf(outTradeNo)).toMatchObject({ reserved: 2900 })
    expect((await alertsOf(outRefundNo)).at(-1)).toMatchObject({ detail: { sum: 'refunded_again' } })
    const accept = finance.refund.decideContradiction.mutate({
      outRefundNo,
      accept: 'succeeded',
      note: 'twice',
    })
    expect(await problemOf(accept)).toBe('refund_not_possible')
    await finance.refund.decideContradiction.mutate({ outRefundNo, accept: 'closed', note: 'written off' })
  })
})

test('a closing after a success raises an alert, and the sum stays taken whatever finance decides', async () => {
  const { outTradeNo, outRefundNo } = await refundSent(await world.phone(), 1000)
  await says(outRefundNo, 'SUCCESS')
  expect(await says(outRefundNo, 'CLOSED')).toBe(409)
  expect((await alertsOf(outRefundNo)).map(({ kind }) => kind)).toEqual(['refund_contradicted'])
  await finance.refund.decideContradiction.mutate({ outRefundNo, accept: 'closed', note: 'returned by hand' })
  expect(await orderOf(outTradeNo)).toEqual({ status: 'paid', reserved: 1000, refunded: 1000 })
})

test('a success of a refund that somebody rejected is held like any other contradiction', async () => {
  const phone = await world.phone()
  const { outTradeNo, outRefundNo } = await refundSent(phone)
  await tamper(
    world,
    `UPDATE refunds SET status = 'rejected' WHERE out_refund_no = '${outRefundNo}';
     UPDATE orders SET refund_reserved_fen = 0, refund_count = 0 WHERE out_trade_no = '${outTradeNo}'`,
  )
  expect(await orderOf(outTradeNo)).toMatchObject({ reserved: 0 })
  expect(await says(outRefundNo, 'SUCCESS')).toBe(409)
  expect(await orderOf(outTradeNo)).toMatchObject({ reserved: 2900 })
})

test('only finance and owners decide, and the database moves no refund by itself', async () => {
  const { outRefundNo } = await refundSent(await world.phone())
  await says(outRefundNo, 'CLOSED')
  const move = () =>
    world.query(`UPDATE refunds SET status = 'succeeded', succeeded_at = now() WHERE out_refund_no = $1`, [
      outRefundNo,
    ])
  await expect(move()).rejects.toThrow(/may not move/)
  await says(outRefundNo, 'SUCCESS')
  const { console: desk } = await signedInConsole(world, { email: 'desk@example.com', role: 'operator' })
  const decide = desk.refund.decideContradiction.mutate({ outRefundNo, accept: 'succeeded', note: 'mine' })
  expect(await problemOf(decide)).toBe('forbidden')
})

test('above the threshold it takes a second person with a fresh factor, who is on record with both ends', async () => {
  const email = 'second@example.com'
  const { console: second } = await signedInConsole(world, { email, role: 'finance' })
  const { outRefundNo } = await refundSent(await world.phone())
  await says(outRefundNo, 'CLOSED')
  await says(outRefundNo, 'SUCCESS')
  const threshold = (fen: number) => setSetting(world, 'refund_approval_threshold_fen', fen)
  const decision = { outRefundNo, accept: 'closed', note: 'no money moved' } as const
  await threshold(2899)
  try {
    expect(await finance.refund.detail.query({ outRefundNo })).toMatchObject({ obstacle: 'own_request' })
    const own = finance.refund.decideContradiction.mutate(decision)
    expect(await problemOf(own)).toBe('second_person_required')
    await world.passTime({ minutes: 11 })
    expect(await problemOf(second.refund.decideContradiction.mutate(decision))).toBe('step_up_required')
    await prove(second, email)
    expect(await second.refund.detail.query({ outRefundNo })).toMatchObject({ obstacle: null })
    await second.refund.decideContradiction.mutate(decision)
  } finally {
    await threshold(20_000)
  }
  const acts = await world.query(
    `SELECT o.email, before, after FROM audit_entries a JOIN operators o ON o.id = a.operator_id
     WHERE action = 'refund.decide_contradiction' AND subject_id = $1`,
    [outRefundNo],
  )
  expect(acts).toEqual([
    {
      email: 'second@example.com',
      before: { status: 'closed', said: 'succeeded' },
      after: { accept: 'closed', note: 'no money moved' },
    },
  ])
})

test.each([
  ['transaction id', { transactionId: '4200009999999999999999999999' }, 'transaction_id'],
  ['order', { outTradeNo: 'M00000000000000000000000000' }, 'out_trade_no'],
  ['total', { totalFen: 9900 }, 'total'],
  ['sum', { amountFen: 1 }, 'refund'],
  ['currency', { currency: 'USD' }, 'currency'],
  ['merchant', { mchId: '1900000000' }, 'merchant'],
  ['refund id', { refundId: '50300000000000000000000000000' }, 'refund_id'],
])(
  'a refund notification with another %s raises an alert and settles nothing',
  async (_what, changes, field) => {
    const { outTradeNo, outRefundNo } = await refundSent(await world.phone())
    expect(await says(outRefundNo, 'SUCCESS', changes)).toBe(409)
    expect(await alertsOf(outRefundNo)).toMatchObject([
      { kind: 'refund_mismatch', detail: { fields: [field] } },
    ])
    expect(await orderOf(outTradeNo)).toMatchObject({ status: 'paid', refunded: 0 })
    expect(await says(outRefundNo, 'SUCCESS')).toBe(204)
    expect(await orderOf(outTradeNo)).toMatchObject({ status: 'refunded' })
  },
)

const Act = fc.constantFrom('request', 'SUCCESS', 'CLOSED', 'accept', 'refuse')

test('in any order and at the same time, an order never gives back more than was paid', async () => {
  await prove(finance, 'finance@example.com')
  const life = fc.asyncProperty(fc.array(Act, { minLength: 3, maxLength: 8 }), async (acts) => {
    const { outTradeNo, outRefundNo } = await refundSent(await world.phone())
    const doing = {
      request: () => request(outTradeNo, 2900),
      SUCCESS: () => says(outRefundNo, 'SUCCESS'),
      CLOSED: () => says(outRefundNo, 'CLOSED'),
      accept: () =>
        finance.refund.decideContradiction.mutate({ outRefundNo, accept: 'succeeded', note: 'yes' }),
      refuse: () => finance.refund.decideContradiction.mutate({ outRefundNo, accept: 'closed', note: 'no' }),
    }
    await Promise.allSettled(acts.map((act) => doing[act]()))
    const [sums] = await world.query<{
      reserved: number
      counted: number
      refunded: number
      succeeded: number
    }>(
      `SELECT o.refund_reserved_fen AS reserved, o.refunded_fen AS refunded,
         coalesce(sum(r.amount_fen) FILTER (WHERE r.status NOT IN ('closed', 'rejected') OR r.held), 0)::int AS counted,
         coalesce(sum(r.amount_fen) FILTER (WHERE r.status = 'succeeded'), 0)::int AS succeeded
       FROM orders o LEFT JOIN refunds r ON r.order_id = o.id WHERE o.out_trade_no = $1 GROUP BY o.id`,
      [outTradeNo],
    )
    expect(sums?.reserved).toBe(sums?.counted)
    expect(sums?.refunded).toBe(sums?.succeeded)
    expect(sums?.reserved).toBeLessThanOrEqual(2900)
    const [broken] = await world.query<{ count: number }>(
      `SELECT count(*)::int FROM notifications WHERE out_trade_no = $1 AND outcome::text NOT IN ('applied', 'already_paid', 'mismatch')`,
      [outTradeNo],
    )
    expect(broken).toEqual({ count: 0 })
  })
  await fc.assert(life, { numRuns: 15 })
  expect((await verifyLedger(world.services.database.pool)).differences).toEqual([])
})
