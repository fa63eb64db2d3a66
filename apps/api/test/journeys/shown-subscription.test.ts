import { randomUUID } from 'node:crypto'
import { column, execute, Prisma, query } from '@meridian/db'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parkOrder } from '../../src/orders/park-order.ts'
import { closeUnpaidOrder } from '../../src/payments/settle-order.ts'
import { inTransaction } from '../../src/platform/sql/transaction.ts'
import { changeDays, decideGrantRequest } from '../../src/subscriptions/change-days.ts'
import { grantTrial } from '../../src/subscriptions/grant-trial.ts'
import { showLedger } from '../../src/subscriptions/show-ledger.ts'
import { mayUseSql, showSubscription } from '../../src/subscriptions/show-subscription.ts'
import { hire } from '../world/console.ts'
import type { Phone } from '../world/phone.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { heldClock } from '../world/stop-clock.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { plantWearable } from '../world/wearable.ts'

const world = useTestWorld()
let operatorId: string
const pool = () => world.services.database.pool
/** Begins with the test at hand: at the instant of its first order. */
const { at, holdAt, begin } = heldClock(world)

beforeAll(async () => {
  operatorId = await hire(world, { email: 'one@example.com', role: 'operator' })
})
beforeEach(async () => {
  await begin()
  await setSetting(world, 'granted_features', ['report_detail', 'manual_treatment'])
  await setSetting(world, 'free_features', [])
})

async function somebody() {
  const phone = await world.phone()
  const [user] = await world.query<{ id: string; since: Date }>(
    'SELECT id, created_at AS since FROM users WHERE openid = $1',
    [phone.openid],
  )
  if (!user) throw new Error('whoever signed in is known')
  return { phone, userId: user.id, since: user.since }
}
async function buys(phone: Phone, plan = 'monthly'): Promise<string> {
  return phone.buysAndPays(plan)
}
const actor = () => ({ operatorId, from: { address: '', userAgent: '', requestId: '' } })
const give = (userId: string, days: number, entries = 0) =>
  changeDays(world.services.database.prisma, { userId, days, reason: `${days} days`, entries }, actor())
const show = (userId: string) => showLedger(pool(), { userId, operatorId })
async function uses(userId: string, feature: 'report_detail' | 'manual_treatment') {
  const [row] = await execute(
    pool(),
    query(null, Prisma.sql`SELECT ${mayUseSql(userId, feature)} AS may`, { may: column.boolean }),
  )
  return row?.may
}

describe('a subscription', () => {
  test('is the plan’s with its features to the last millisecond, and nothing from its end on', async () => {
    const { phone, userId } = await somebody()
    await buys(phone)
    await buys((await somebody()).phone, 'yearly')
    const features = ['manual_treatment', 'report_detail']
    await holdAt(30, -1)
    expect(await showSubscription(pool(), userId)).toEqual({
      ...{ status: 'active', is_active: true, remaining_days: 1, expires_at: at(30).toISOString() },
      ...{ plan: { code: 'monthly', name: '月度会员' }, features },
    })
    expect(await show(userId)).toMatchObject({
      ...{ isActive: true, remainingDays: 1, expiresAt: at(30), planName: '月度会员', features, entries: 1 },
      clocks: features.map((feature) => ({ feature, expiresAt: at(30), isUsable: true })),
    })
    expect(await uses(userId, 'report_detail')).toBe(true)
    await holdAt(30)
    expect(await showSubscription(pool(), userId)).toEqual({
      ...{ status: 'inactive', is_active: false, remaining_days: 0, expires_at: at(30).toISOString() },
      ...{ plan: null, features: [] },
    })
    expect(await show(userId)).toMatchObject({
      ...{ isActive: false, remainingDays: 0, expiresAt: at(30), planName: null, features: [] },
      clocks: features.map((feature) => ({ feature, expiresAt: at(30), isUsable: false })),
      why: [{ code: 'ended' }],
    })
    expect(await uses(userId, 'report_detail')).toBe(false)
  })

  test('that nobody ever had is empty, whatever others bought', async () => {
    await buys((await somebody()).phone)
    const { userId, since } = await somebody()
    for (const id of [userId, randomUUID()])
      expect(await showSubscription(pool(), id)).toEqual({
        ...{ status: 'inactive', is_active: false, remaining_days: 0, expires_at: null },
        ...{ plan: null, features: [] },
      })
    expect(await show(userId)).toEqual({
      ...{ userId, isActive: false, expiresAt: null, remainingDays: 0, planName: null, features: [] },
      ...{ entries: 0, disabledAt: null, userSince: since, ledger: [], clocks: [], requests: [] },
      why: [{ code: 'never_had_days' }],
    })
    expect(await uses(userId, 'manual_treatment')).toBe(false)
  })

  test('of days by hand is of no plan, and tells since when the account is disabled', async () => {
    const { userId, since } = await somebody()
    await give(userId, 3)
    await holdAt(1)
    await world.query('UPDATE users SET disabled_at = business_now() WHERE id = $1', [userId])
    expect(await show(userId)).toMatchObject({
      ...{ planName: null, remainingDays: 2, disabledAt: at(1), userSince: since },
      why: [{ code: 'disabled', at: at(1) }, { code: 'active_until' }, { code: 'days_from_operator' }],
    })
    expect((await showSubscription(pool(), userId)).plan).toBeNull()
  })
})

test('a free feature is usable without days and after them, and no other is', async () => {
  const [{ userId }, never] = [await somebody(), await somebody()]
  await setSetting(world, 'granted_features', ['report_detail'])
  await give(userId, 2)
  await setSetting(world, 'free_features', ['report_detail', 'manual_treatment'])
  await holdAt(2)
  const ended = { feature: 'report_detail', expiresAt: at(2), isUsable: true }
  const free = (feature: string) => ({ feature, expiresAt: null, isUsable: true })
  expect((await show(userId)).clocks).toEqual([free('manual_treatment'), ended])
  expect((await show(never.userId)).clocks).toEqual([free('manual_treatment'), free('report_detail')])
  await setSetting(world, 'free_features', ['report_detail'])
  expect((await showSubscription(pool(), never.userId)).features).toEqual(['report_detail'])
  expect([await uses(never.userId, 'report_detail'), await uses(never.userId, 'manual_treatment')]).toEqual([
    true,
    false,
  ])
})

test('the ledger tells each entry with its cause, in the order in which they were written', async () => {
  const [{ phone, userId }, neighbour] = [await somebody(), await somebody()]
  const { serialNumber } = await plantWearable(world)
  await buys(neighbour.phone)
  await inTransaction(pool(), (client) =>
    grantTrial(client, { userId, serialNumber, days: 1, openidMac: null }),
  )
  const first = await buys(phone, 'quarterly')
  const { outTradeNo, outRefundNo } = await sendRefund(world, { phone, operatorId, amountFen: 1000 })
  await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })
  await give(userId, -3, 4)
  const none = { planName: null, outTradeNo: null, outRefundNo: null, serialNumber: null, reason: null }
  const base = {
    ...none,
    operatorEmail: null,
    apiKeyName: null,
    effectiveAt: at(0),
    features: expect.any(Array),
  }
  const ends = [null, at(1), at(91), at(121), at(111), at(108)]
  const entries = [
    { ...base, kind: 'trial', days: 1, unusedDays: 0, serialNumber },
    { ...base, kind: 'purchase', days: 90, unusedDays: 88, planName: '季度会员', outTradeNo: first },
    { ...base, kind: 'purchase', days: 30, unusedDays: 20, planName: '月度会员', outTradeNo },
    { ...base, kind: 'refund_revocation', days: -10, unusedDays: 0, outTradeNo, outRefundNo },
    {
      ...base,
      kind: 'admin_grant',
      days: -3,
      unusedDays: 0,
      reason: '-3 days',
      operatorEmail: 'one@example.com',
    },
  ]
  expect((await show(userId)).ledger).toEqual(
    entries.map((entry, n) => ({ ...entry, seq: n + 1, expiresBefore: ends[n], expiresAfter: ends[n + 1] })),
  )
})

/** An order that was closed and then paid, under this policy for late payments. */
async function paysLate(phone: Phone, policy: 'activate' | 'refund' | 'ask'): Promise<string> {
  const { order } = await phone.buys('monthly', policy)
  const outTradeNo = order.out_trade_no
  const how = { channel: 'jsapi', confirmedBy: 'sweep', requestId: null, reason: 'expired' } as const
  await closeUnpaidOrder(world.services, { outTradeNo, ...how })
  const paidAt = new Date(new Date(order.expires_at).getTime() + 60_000)
  await world.platform.pay(outTradeNo, { late: true, silent: true, paidAt })
  await setSetting(world, 'late_payment_policy', policy)
  await world.platform.deliver(world.platform.notification(outTradeNo))
  return outTradeNo
}

describe('orders that brought no days', () => {
  test('are told by why, and none that brought some, was never paid, or is another customer’s', async () => {
    const [{ phone, userId }, neighbour] = [await somebody(), await somebody()]
    await neighbour.phone.buys()
    await buys(phone, 'yearly')
    await paysLate(phone, 'activate')
    await plantOrders(world, { count: 1, openid: phone.openid, status: 'closed' })
    const [parked = ''] = await plantOrders(world, {
      count: 1,
      openid: phone.openid,
      status: 'closed',
      ago: '2 hours',
    })
    const reason = 'unpaid_and_forgotten'
    await parkOrder(pool(), { outTradeNo: parked, reason, trace: { channel: 'job', requestId: null } })
    const [created] = await plantOrders(world, { count: 1, openid: phone.openid, ago: '3 hours' })
    const [asked, sentBack] = [await paysLate(phone, 'ask'), await paysLate(phone, 'refund')]
    const { why } = await show(userId)
    const told = why.filter(({ code }) => code.includes('order_'))
    expect(told).toEqual([
      { code: 'order_sent_back', outTradeNo: sentBack },
      { code: 'paid_order_parked', outTradeNo: asked, reason: 'late_payment' },
      { code: 'unpaid_order_parked', outTradeNo: parked, reason },
      { code: 'order_unpaid', outTradeNo: created, status: 'created' },
    ])
  })

  test('are told of the five newest, newest first', async () => {
    const { phone, userId } = await somebody()
    const planted = await plantOrders(world, { count: 7, openid: phone.openid, together: 2 })
    const told = (await show(userId)).why.flatMap((reason) =>
      reason.code === 'order_unpaid' ? [reason.outTradeNo] : [],
    )
    expect(told).toEqual(planted.slice(0, 5))
  })
})

test('days that wait for a second person are told while they wait', async () => {
  const { userId } = await somebody()
  const asked = async (days: number) => {
    expect(await give(userId, days)).toBe('requested')
    return (await show(userId)).requests[0]?.id ?? ''
  }
  const id = await asked(40)
  await decideGrantRequest(world.services.database.prisma, { id, verdict: 'reject' }, actor())
  expect((await show(userId)).why).toEqual([{ code: 'never_had_days' }])
  await asked(50)
  const { why, requests } = await show(userId)
  expect(why).toEqual([{ code: 'never_had_days' }, { code: 'days_requested', days: 50 }])
  expect(requests.map(({ days, state }) => [days, state])).toEqual([
    [50, 'requested'],
    [40, 'rejected'],
  ])
})
