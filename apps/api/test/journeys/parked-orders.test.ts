import { describe, expect, test } from 'vitest'
import { checkInvariants } from '../../src/invariants/check-invariants.ts'
import { parkOrder } from '../../src/orders/park-order.ts'
import { problemOf } from '../world/console.ts'
import { payLate, payRefundedElsewhere } from '../world/parked-payments.ts'
import { queuedJobs } from '../world/queued-jobs.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const finance = useConsole(world, 'finance')
const operator = useConsole(world, 'operator')
const viewer = useConsole(world, 'viewer')

const trace = { channel: 'job', requestId: null } as const

const parkingOf = async (outTradeNo: string) =>
  (
    await world.query('SELECT status::text, parked, park_reason FROM orders WHERE out_trade_no = $1', [
      outTradeNo,
    ])
  )[0]
const refundsOf = (outTradeNo: string) =>
  world.query(
    `SELECT r.amount_fen, r.status::text, r.reason_code FROM refunds r JOIN orders o ON o.id = r.order_id WHERE o.out_trade_no = $1`,
    [outTradeNo],
  )
const decisionsOf = (outTradeNo: string) =>
  world.query(
    `SELECT e.detail, e.operator_id IS NOT NULL AS named FROM order_events e JOIN orders o ON o.id = e.order_id
     WHERE o.out_trade_no = $1 AND e.kind = 'decide'`,
    [outTradeNo],
  )
const actsOf = (outTradeNo: string, action: string) =>
  world.query('SELECT before, after FROM audit_entries WHERE subject_id = $1 AND action = $2', [
    outTradeNo,
    action,
  ])

describe('a late payment that waits for a decision', () => {
  const late = (outTradeNo: string, decision: 'activate' | 'refund') => ({
    outTradeNo,
    parkReason: 'late_payment',
    decision,
    note: 'The customer called',
  })

  test('is activated by finance, with the days it was paid for, a line of time and an audit entry', async () => {
    const { phone, outTradeNo } = await payLate(world)
    const order = await finance.order.decideLate.mutate(late(outTradeNo, 'activate'))
    expect(order).toMatchObject({ status: 'paid', parked: false, late: true })
    expect((await phone.subscription()).remaining_days).toBe(30)
    expect(await decisionsOf(outTradeNo)).toEqual([
      {
        detail: { decision: 'activate', reason: 'late_payment', note: 'The customer called' },
        named: true,
      },
    ])
    expect(await actsOf(outTradeNo, 'order.decide_late')).toEqual([
      {
        before: { parkReason: 'late_payment' },
        after: { decision: 'activate', note: 'The customer called' },
      },
    ])
  })

  test('is given back by finance: the whole amount, approved by rule, and no days', async () => {
    const { phone, outTradeNo } = await payLate(world)
    await finance.order.decideLate.mutate(late(outTradeNo, 'refund'))
    expect(await parkingOf(outTradeNo)).toEqual({ status: 'paid', parked: false, park_reason: null })
    expect(await refundsOf(outTradeNo)).toEqual([
      { amount_fen: 2900, status: 'approved', reason_code: 'late_payment' },
    ])
    expect((await phone.subscription()).is_active).toBe(false)
    const jobs = await world.query(
      `SELECT 1 FROM graphile_worker._private_jobs WHERE key = 'refund:' || (
         SELECT r.out_refund_no FROM refunds r JOIN orders o ON o.id = r.order_id WHERE o.out_trade_no = $1)`,
      [outTradeNo],
    )
    expect(jobs).toHaveLength(1)
  })

  test('is decided once, however many decide at once and whatever they choose', async () => {
    const { phone, outTradeNo } = await payLate(world)
    const choices = ['activate', 'refund', 'activate', 'refund', 'activate'] as const
    const answers = await Promise.allSettled(
      choices.map((decision) => finance.order.decideLate.mutate(late(outTradeNo, decision))),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refunds = await refundsOf(outTradeNo)
    const { is_active } = await phone.subscription()
    expect(is_active).toBe(refunds.length === 0)
    expect(await decisionsOf(outTradeNo)).toHaveLength(1)
    expect(await problemOf(finance.order.decideLate.mutate(late(outTradeNo, 'activate')))).toBe(
      'changed_meanwhile',
    )
  })

  test('is no business of an operator, nor of the decision for other parked orders', async () => {
    const { outTradeNo } = await payLate(world)
    expect(await problemOf(operator.order.decideLate.mutate(late(outTradeNo, 'activate')))).toBe('forbidden')
    const other = { ...late(outTradeNo, 'activate'), decision: 'activate' as const }
    expect(await problemOf(operator.order.decide.mutate(other))).toBe('decision_not_possible')
    expect(await parkingOf(outTradeNo)).toMatchObject({ parked: true })
  })
})

describe('an order that is parked for another reason', () => {
  const decide = (outTradeNo: string, parkReason: string, decision: 'release' | 'activate' | 'leave') => ({
    outTradeNo,
    parkReason,
    decision,
    note: 'Looked into it',
  })

  test('that was paid without days may get them, or be left, but not simply go on', async () => {
    const { phone, outTradeNo } = await payRefundedElsewhere(world)
    expect(await parkingOf(outTradeNo)).toMatchObject({ park_reason: 'refunded_elsewhere' })
    const act = (reason: string, decision: 'release' | 'activate' | 'leave') =>
      operator.order.decide.mutate(decide(outTradeNo, reason, decision))
    expect(await problemOf(act('refunded_elsewhere', 'release'))).toBe('decision_not_possible')
    await act('refunded_elsewhere', 'leave')
    expect(await parkingOf(outTradeNo)).toEqual({ status: 'paid', parked: true, park_reason: 'left_as_is' })
    expect(await problemOf(act('refunded_elsewhere', 'activate'))).toBe('changed_meanwhile')
    await act('left_as_is', 'activate')
    expect(await parkingOf(outTradeNo)).toMatchObject({ parked: false })
    expect((await phone.subscription()).remaining_days).toBe(30)
    expect(await decisionsOf(outTradeNo)).toHaveLength(2)
  })

  test('that is unpaid goes on: it is asked about again', async () => {
    const { order } = await (await world.phone()).buys()
    const outTradeNo = order.out_trade_no
    await parkOrder(world.services.database.pool, { outTradeNo, reason: 'unpaid_and_forgotten', trace })
    await operator.order.decide.mutate(decide(outTradeNo, 'unpaid_and_forgotten', 'release'))
    expect(await parkingOf(outTradeNo)).toMatchObject({ status: 'prepay', parked: false })
    const [job] = await world.query<{ due: boolean }>(
      `SELECT run_at <= business_now() AS due FROM ${queuedJobs} WHERE key = 'sweep:' || $1`,
      [outTradeNo],
    )
    expect(job).toEqual({ due: true })
  })

  test('that was paid ordinarily goes on with its refunds', async () => {
    const phone = await world.phone()
    const outTradeNo = await phone.buysAndPays()
    const outRefundNo = 'R00000000000000000000000077'
    await world.query(
      `INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, status, decided_at)
       SELECT $1, id, 100, 'other', 'approved', now() FROM orders WHERE out_trade_no = $2`,
      [outRefundNo, outTradeNo],
    )
    await parkOrder(world.services.database.pool, { outTradeNo, reason: 'refunded_more_than_paid', trace })
    const again = decide(outTradeNo, 'refunded_more_than_paid', 'activate')
    expect(await problemOf(operator.order.decide.mutate(again))).toBe('decision_not_possible')
    await operator.order.decide.mutate({ ...again, decision: 'release' })
    const jobs = await world.query('SELECT 1 FROM graphile_worker._private_jobs WHERE key = $1', [
      `refund:${outRefundNo}`,
    ])
    expect(jobs).toHaveLength(1)
    expect((await phone.subscription()).remaining_days).toBe(30)
  })

  test('is not decided by a viewer, and what is not there is not found', async () => {
    const nowhere = decide('M00000000000000000000000000', 'refunded_elsewhere', 'leave')
    expect(await problemOf(viewer.order.decide.mutate(nowhere))).toBe('forbidden')
    expect(await problemOf(operator.order.decide.mutate(nowhere))).toBe('order_not_found')
  })
})

test('an operator closes an unpaid order on the platform and here, and a paid one is left alone', async () => {
  const phone = await world.phone()
  const first = (await phone.buys('monthly', 'first')).order.out_trade_no
  expect(await operator.order.close.mutate({ outTradeNo: first })).toMatchObject({
    outcome: 'closed',
    order: { status: 'closed', closeReason: 'operator' },
  })
  expect(world.platform.orders.get(first)?.state).toBe('CLOSED')
  expect(await operator.order.close.mutate({ outTradeNo: first })).toMatchObject({ outcome: 'closed' })
  const second = await phone.buys('monthly', 'second')
  await phone.pays(second, { silent: true })
  expect(await operator.order.close.mutate({ outTradeNo: second.order.out_trade_no })).toMatchObject({
    outcome: 'paid',
    order: { status: 'paid' },
  })
  expect(await actsOf(first, 'order.close')).toHaveLength(2)
  expect(await problemOf(viewer.order.close.mutate({ outTradeNo: first }))).toBe('forbidden')
})

test('after all these decisions every invariant holds', async () => {
  expect(await checkInvariants(world.services.database.pool)).toEqual([])
})
