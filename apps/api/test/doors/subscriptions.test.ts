import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { parkOrder } from '../../src/orders/park-order.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { type Console, hire, idOf, problemOf, signInAnew } from '../world/console.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { somebody } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let one: Console
let other: Console
let owner: Console
let viewer: Console
let finance: Console

beforeAll(async () => {
  for (const role of ['owner', 'viewer', 'finance'] as const)
    await hire(world, { email: `${role}@example.com`, role })
  for (const name of ['one', 'other']) await hire(world, { email: `${name}@example.com`, role: 'operator' })
  await signInAll()
})

async function signInAll() {
  const signIn = async (name: string) => (await signInAnew(world, `${name}@example.com`)).console
  one = await signIn('one')
  other = await signIn('other')
  owner = await signIn('owner')
  viewer = await signIn('viewer')
  finance = await signIn('finance')
}

async function refund(outTradeNo: string, amountFen: number) {
  const operatorId = await idOf(world, 'finance@example.com')
  await refundToItsEnd(world, { outTradeNo, amountFen, operatorId })
}
/** Looks and does, as the dialog does. */
type Wish = [userId: string, days: number, reason?: string]
async function change(console: Console, ...[userId, days, reason = 'a good reason']: Wish) {
  const { entries } = await console.subscription.previewDays.query({ userId, days })
  return console.subscription.changeDays.mutate({ userId, days, reason, entries })
}
const auditOf = (userId: string) =>
  world.query<{ action: string; before: object | null; after: object }>(
    "SELECT action, before, after FROM audit_entries WHERE subject_type = 'subscription' AND subject_id = $1 ORDER BY id",
    [userId],
  )

describe('days by hand', () => {
  test('are given with the granted features, as the preview said, and written to the audit log', async () => {
    const { phone, userId } = await somebody(world)
    const preview = await one.subscription.previewDays.query({ userId, days: 10 })
    expect(preview).toMatchObject({
      entries: 0,
      expiresBefore: null,
      remainingBefore: 0,
      remainingAfter: 10,
      usedThisMonth: 0,
      needsSecondPerson: false,
      features: [{ feature: 'manual_treatment' }, { feature: 'report_detail' }],
    })
    expect(await change(one, userId, 10, 'broken device')).toEqual({ outcome: 'granted' })
    expect(await phone.subscription()).toMatchObject({
      remaining_days: 10,
      plan: null,
      features: ['manual_treatment', 'report_detail'],
    })
    const [entry, ...none] = await auditOf(userId)
    expect(none).toEqual([])
    expect(entry).toMatchObject({
      action: 'subscription.grant',
      before: { expiresAt: null },
      after: { days: 10, reason: 'broken device' },
    })
  })

  test('are taken, never below now', async () => {
    const { phone, userId } = await somebody(world)
    await change(one, userId, 5)
    await change(one, userId, -2)
    expect((await phone.subscription()).remaining_days).toBe(3)
    await change(one, userId, -20)
    expect(await phone.subscription()).toMatchObject({ is_active: false, remaining_days: 0, features: [] })
  })

  test('a second press of the same button gives nothing more', async () => {
    const { phone, userId } = await somebody(world)
    const order = { userId, days: 7, reason: 'pressed twice', entries: 0 }
    const presses = await Promise.allSettled([1, 2, 3].map(() => one.subscription.changeDays.mutate(order)))
    expect(presses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await problemOf(one.subscription.changeDays.mutate(order))).toBe('changed_meanwhile')
    expect((await phone.subscription()).remaining_days).toBe(7)
  })

  test('more than 31 in a month ask for a second person, whoever gave the ones before', async () => {
    const { phone, userId } = await somebody(world)
    await change(one, userId, 20)
    expect(await change(other, userId, 12)).toEqual({ outcome: 'requested' })
    expect((await phone.subscription()).remaining_days).toBe(20)
    expect(await problemOf(change(one, userId, 1))).toBe('changed_meanwhile')
    const { items } = await one.subscription.requests.query()
    const request = items.find((item) => item.userId === userId)
    expect(request).toMatchObject({ days: 12, requestedBy: 'other@example.com', isOwn: false })
    const decision = { id: request?.id ?? '', verdict: 'approve' } as const
    expect(await problemOf(other.subscription.decideRequest.mutate(decision))).toBe('second_person_required')
    await one.subscription.decideRequest.mutate(decision)
    expect((await phone.subscription()).remaining_days).toBe(32)
    expect(await problemOf(one.subscription.decideRequest.mutate(decision))).toBe('changed_meanwhile')
    expect((await auditOf(userId)).map(({ action }) => action)).toEqual([
      'subscription.grant',
      'subscription.request_grant',
      'grant.approve',
    ])
  })

  test('last month does not count', async () => {
    const { userId } = await somebody(world)
    await change(one, userId, 31)
    await world.passTime({ days: 31 })
    await signInAll()
    expect(await change(one, userId, 31)).toEqual({ outcome: 'granted' })
    expect((await one.subscription.previewDays.query({ userId, days: 1 })).needsSecondPerson).toBe(true)
  })

  test('a rejected request gives nothing and lets another be made; the owner may decide', async () => {
    const { phone, userId } = await somebody(world)
    expect(await change(one, userId, 60)).toEqual({ outcome: 'requested' })
    const { requests } = await owner.subscription.detail.query({ userId })
    await owner.subscription.decideRequest.mutate({ id: requests[0]?.id ?? '', verdict: 'reject' })
    expect((await phone.subscription()).remaining_days).toBe(0)
    expect((await owner.subscription.detail.query({ userId })).requests).toMatchObject([
      { state: 'rejected', decidedBy: 'owner@example.com' },
    ])
    expect(await change(owner, userId, 40)).toEqual({ outcome: 'requested' })
  })

  test('two people deciding the same request at once decide it once', async () => {
    const { phone, userId } = await somebody(world)
    await change(one, userId, 45)
    const { requests } = await owner.subscription.detail.query({ userId })
    const decision = { id: requests[0]?.id ?? '', verdict: 'approve' } as const
    await Promise.allSettled([owner, other].map((by) => by.subscription.decideRequest.mutate(decision)))
    expect((await phone.subscription()).remaining_days).toBe(45)
  })

  test('are refused to those who may only look, and for somebody who does not exist', async () => {
    const { userId } = await somebody(world)
    for (const console of [viewer, finance]) {
      expect(await problemOf(console.subscription.previewDays.query({ userId, days: 1 }))).toBe('forbidden')
      const order = { userId, days: 1, reason: 'not allowed', entries: 0 }
      expect(await problemOf(console.subscription.changeDays.mutate(order))).toBe('forbidden')
      const decision = { id: '1', verdict: 'approve' } as const
      expect(await problemOf(console.subscription.decideRequest.mutate(decision))).toBe('forbidden')
    }
    const nobody = { userId: randomUUID(), days: 1 }
    expect(await problemOf(one.subscription.previewDays.query(nobody))).toBe('not_found')
    expect(await problemOf(viewer.subscription.detail.query({ userId: nobody.userId }))).toBe('not_found')
  })
})

describe('why there is access or not', () => {
  const codesOf = async (userId: string) =>
    (await viewer.subscription.detail.query({ userId })).why.map(({ code }) => code)

  test('nobody ever paid: an unpaid order is named', async () => {
    const { phone, userId } = await somebody(world)
    expect(await codesOf(userId)).toEqual(['never_had_days'])
    const { order } = await phone.buys()
    expect((await viewer.subscription.detail.query({ userId })).why).toEqual([
      { code: 'never_had_days' },
      { code: 'order_unpaid', outTradeNo: order.out_trade_no, status: 'prepay' },
    ])
  })

  test('an order that waits for a decision is called paid or unpaid as it is', async () => {
    const { phone, userId } = await somebody(world)
    const { order } = await phone.buys()
    const outTradeNo = order.out_trade_no
    const trace = { channel: 'job', requestId: null } as const
    await parkOrder(world.services.database.pool, { outTradeNo, reason: 'unpaid_and_forgotten', trace })
    expect((await viewer.subscription.detail.query({ userId })).why.at(-1)).toEqual({
      code: 'unpaid_order_parked',
      outTradeNo,
      reason: 'unpaid_and_forgotten',
    })
    await world.query(
      `UPDATE orders SET status = 'paid', transaction_id = '1', paid_at = business_now(),
      confirmed_by = 'notification', confirmed_at = business_now() WHERE out_trade_no = '${outTradeNo}'`,
    )
    expect(await codesOf(userId)).toEqual(['never_had_days', 'paid_order_parked'])
  })

  test('each order is named with the days of it that are left, and refunds with what they took', async () => {
    const { phone, userId } = await somebody(world)
    const first = await phone.buysAndPays('monthly', 'first')
    const second = await phone.buysAndPays('quarterly', 'second')
    await refund(first, 1000)
    const { why, ledger } = await viewer.subscription.detail.query({ userId })
    expect(why).toMatchObject([
      { code: 'active_until', days: 110 },
      { code: 'days_from_order', outTradeNo: first, days: 20 },
      { code: 'days_from_order', outTradeNo: second, days: 90 },
      { code: 'taken_by_refund', outTradeNo: first, days: 10 },
    ])
    expect(ledger.map(({ kind, days, unusedDays }) => [kind, days, unusedDays])).toEqual([
      ['purchase', 30, 20],
      ['purchase', 90, 90],
      ['refund_revocation', -10, 0],
    ])
    expect(ledger[2]).toMatchObject({ outTradeNo: first, outRefundNo: expect.stringMatching(/^R/) })
  })

  test('days taken by hand come off what was bought first, as a refund counts them', async () => {
    const { phone, userId } = await somebody(world)
    const first = await phone.buysAndPays('monthly', 'first')
    await phone.buysAndPays('monthly', 'second')
    await change(one, userId, -12, 'shared the account')
    const { ledger, why } = await viewer.subscription.detail.query({ userId })
    expect(ledger.map(({ unusedDays }) => unusedDays)).toEqual([18, 30, 0])
    expect(why.at(-1)).toMatchObject({ code: 'taken_by_operator', reason: 'shared the account', days: 12 })
    await refund(first, 2900)
    expect((await phone.subscription()).remaining_days).toBe(30)
  })

  test('a payment that waits for a decision, a ban and a feature that stayed behind are named', async () => {
    const { phone, userId } = await somebody(world)
    const outTradeNo = await phone.buysAndPays()
    await setSetting(world, 'granted_features', ['report_detail'])
    await change(one, userId, 10)
    await setSetting(world, 'granted_features', ['report_detail', 'manual_treatment'])
    await refund(outTradeNo, 2900)
    await world.query('UPDATE users SET disabled_at = business_now() WHERE id = $1', [userId])
    const { why, clocks } = await viewer.subscription.detail.query({ userId })
    expect(why.map(({ code }) => code)).toEqual([
      'disabled',
      'active_until',
      'days_from_operator',
      'taken_by_refund',
      'feature_behind',
    ])
    expect(clocks).toMatchObject([
      { feature: 'manual_treatment', isUsable: false },
      { feature: 'report_detail', isUsable: true },
    ])
  })

  test('a free feature is usable without any days', async () => {
    await setSetting(world, 'free_features', ['report_detail'])
    const { userId } = await somebody(world)
    expect((await viewer.subscription.detail.query({ userId })).clocks).toEqual([
      { feature: 'report_detail', expiresAt: null, isUsable: true },
    ])
    await setSetting(world, 'free_features', [])
  })
})

describe('the list', () => {
  test('reads both ways through the same rows, each once, by their end', async () => {
    const { items } = await viewer.subscription.list.query({ limit: 100 })
    expect(items.length).toBeGreaterThan(8)
    const seen: string[] = []
    let cursor: string | undefined
    let backwards: string | null = null
    do {
      const page = await viewer.subscription.list.query({ limit: 3, ...(cursor && { cursor }) })
      seen.push(...page.items.map(({ userId }) => userId))
      backwards = page.previousCursor
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(items.map(({ userId }) => userId))
    const before = await viewer.subscription.list.query({ limit: 3, cursor: backwards ?? '' })
    const last = seen.length % 3 || 3
    expect(before.items.map(({ userId }) => userId)).toEqual(seen.slice(-last - 3, -last))
    const latest = await viewer.subscription.list.query({ limit: 100, sort: 'latest' })
    expect(latest.items.map(({ userId }) => userId)).toEqual([...seen].reverse())
  })

  test('filters by state, by days left, by end and by user, and counts what it filters', async () => {
    const { userId } = await somebody(world)
    expect(await viewer.subscription.list.query({ search: userId })).toMatchObject({
      items: [{ userId, isActive: false, entries: 0, expiresAt: null }],
    })
    await change(one, userId, 3)
    const soon = await viewer.subscription.list.query({ daysLeft: 3, limit: 100 })
    expect(soon.items.map((item) => item.userId)).toContain(userId)
    expect(soon.items.every(({ remainingDays }) => remainingDays >= 1 && remainingDays <= 3)).toBe(true)
    for (const state of ['active', 'expired'] as const) {
      const { items } = await viewer.subscription.list.query({ state, limit: 100 })
      expect(items.every(({ isActive }) => isActive === (state === 'active'))).toBe(true)
      expect(await viewer.subscription.sums.query({ state })).toMatchObject({
        count: items.length,
        more: false,
      })
    }
    expect((await viewer.subscription.list.query({ search: 'no such user' })).items).toEqual([])
    expect(await problemOf(viewer.subscription.list.query({ cursor: 'abc' }))).toBe('invalid_request')
  })
})

test('the ledger is whole after all of it', async () => {
  expect((await verifyLedger(world.services.database.pool)).differences).toEqual([])
})
