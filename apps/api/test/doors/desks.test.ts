import type { RefundRow } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { parkOrder } from '../../src/orders/park-order.ts'
import { type Console, problemOf, signedInConsole } from '../world/console.ts'
import type { Phone } from '../world/phone.ts'
import { userIdOf } from '../world/somebody.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
let consoles: Record<'viewer' | 'operator' | 'finance' | 'owner', Console>

beforeAll(async () => {
  const consoleOf = async (role: keyof typeof consoles) =>
    (await signedInConsole(world, { email: `${role}@example.com`, role })).console
  consoles = {
    viewer: await consoleOf('viewer'),
    operator: await consoleOf('operator'),
    finance: await consoleOf('finance'),
    owner: await consoleOf('owner'),
  }
})

async function bought(plan = 'monthly'): Promise<{ phone: Phone; outTradeNo: string }> {
  const phone = await world.phone()
  return { phone, outTradeNo: await phone.buysAndPays(plan) }
}

const wish = (outTradeNo: string, amountFen: number, reservedFen = 0) => ({
  outTradeNo,
  amountFen,
  keepDays: false,
  reason: 'user_request' as const,
  note: 'asked on the phone',
  reservedFen,
})
const actionsOf = async (subjectId: string) =>
  (
    await world.query<{ action: string }>(
      'SELECT action FROM audit_entries WHERE subject_id = $1 ORDER BY id',
      [subjectId],
    )
  ).map(({ action }) => action)

describe('the preview of a refund', () => {
  test('says what its settlement then does', async () => {
    const { phone, outTradeNo } = await bought()
    const preview = await consoles.viewer.refund.preview.query({ outTradeNo, amountFen: 1000 })
    expect(preview).toMatchObject({
      refundableFen: 2900,
      reservedFen: 0,
      daysUsed: 0,
      daysLeft: 30,
      daysTaken: Math.floor((30 * 1000) / 2900),
      remainingBefore: 30,
      remainingAfter: 20,
      needsSecondPerson: false,
      obstacle: null,
    })
    const refund = await consoles.finance.refund.request.mutate(wish(outTradeNo, 1000))
    await consoles.finance.refund.retry.mutate({ outRefundNo: refund.outRefundNo })
    await world.platform.settleRefund(refund.outRefundNo)
    const subscription = await phone.subscription()
    expect(subscription.remaining_days).toBe(preview.remainingAfter)
    expect(new Date(subscription.expires_at ?? 0).getTime()).toBe(preview.expiresAfter?.getTime())
    const { daysTaken } = await consoles.viewer.refund.detail.query({ outRefundNo: refund.outRefundNo })
    expect(daysTaken).toBe(preview.daysTaken)
    const { orders } = await consoles.viewer.user.detail.query({ id: await userIdOf(world, phone) })
    expect(orders).toMatchObject([{ outTradeNo, amountFen: 2900, refundedFen: 1000 }])
  })

  test('tells apart what was used, what an earlier refund took back and what is left', async () => {
    await using own = await openTestWorld()
    const phone = await own.phone()
    const outTradeNo = await phone.buysAndPays('yearly')
    await own.passTime({ days: 100 })
    const { console } = await signedInConsole(own, { email: 'finance@example.com', role: 'finance' })
    const preview = () => console.refund.preview.query({ outTradeNo, amountFen: 13_400 })
    expect(await preview()).toMatchObject({ daysUsed: 100, daysTakenBack: 0, daysLeft: 265, daysTaken: 182 })
    const { halfFen, unusedFen } = await preview()
    expect({ halfFen, unusedFen }).toEqual({ halfFen: 13_400, unusedFen: Math.ceil((26_800 * 265) / 365) })
    const taken = async (amountFen: number) =>
      (await console.refund.preview.query({ outTradeNo, amountFen })).daysTaken
    expect([await taken(unusedFen), await taken(unusedFen - 1)]).toEqual([265, 264])
    const { outRefundNo } = await console.refund.request.mutate(wish(outTradeNo, 13_400))
    await console.refund.retry.mutate({ outRefundNo })
    await own.platform.settleRefund(outRefundNo)
    expect(await preview()).toMatchObject({ daysUsed: 100, daysTakenBack: 182, daysLeft: 83, daysTaken: 83 })
  })

  test('keeps the days where they are to be kept, and names the second person where one is needed', async () => {
    const { outTradeNo } = await bought('yearly')
    expect(
      await consoles.finance.refund.preview.query({ outTradeNo, amountFen: 26_800, keepDays: true }),
    ).toMatchObject({ daysTaken: 0, remainingAfter: 365, needsSecondPerson: true, thresholdFen: 20_000 })
  })

  test('names what stands in the way', async () => {
    const { outTradeNo } = await bought()
    const obstacleOf = async (amountFen: number) =>
      (await consoles.finance.refund.preview.query({ outTradeNo, amountFen })).obstacle
    expect(await obstacleOf(2901)).toBe('too_much')
    await parkOrder(world.services.database.pool, {
      outTradeNo,
      reason: 'paid_without_grant',
      trace: { channel: 'job', requestId: null },
    })
    expect(await obstacleOf(1)).toBe('parked')
    const unpaid = (await (await world.phone()).buys()).order.out_trade_no
    expect((await consoles.finance.refund.preview.query({ outTradeNo: unpaid, amountFen: 1 })).obstacle).toBe(
      'not_paid',
    )
  })
})

describe('a refund from the console', () => {
  test('goes by two persons to refunded, each step on the line of time and in the audit log', async () => {
    const { phone, outTradeNo } = await bought('yearly')
    const { outRefundNo, status } = await consoles.finance.refund.request.mutate(wish(outTradeNo, 26_800))
    expect(status).toBe('requested')
    const daysOf = async () => {
      const { daysDue, daysTaken } = await consoles.viewer.refund.detail.query({ outRefundNo })
      return { daysDue, daysTaken }
    }
    expect(await daysOf()).toEqual({ daysDue: 365, daysTaken: 0 })
    const decide = (who: Console, approve = true) => who.refund.decide.mutate({ outRefundNo, approve })
    expect(await problemOf(decide(consoles.finance))).toBe('second_person_required')
    expect(await problemOf(decide(consoles.operator))).toBe('forbidden')
    expect(await decide(consoles.owner)).toMatchObject({
      status: 'approved',
      approvedByEmail: 'owner@example.com',
    })
    expect(await consoles.finance.refund.retry.mutate({ outRefundNo })).toMatchObject({
      status: 'processing',
    })
    await world.platform.settleRefund(outRefundNo)
    expect((await phone.subscription()).is_active).toBe(false)
    expect(await daysOf()).toEqual({ daysDue: null, daysTaken: 365 })
    const order = await consoles.viewer.order.detail.query({ outTradeNo })
    expect(order).toMatchObject({
      status: 'refunded',
      refundableFen: 0,
      grants: [
        { kind: 'purchase', days: 365 },
        { kind: 'refund_revocation', days: -365 },
      ],
      refunds: [{ outRefundNo, status: 'succeeded' }],
      acts: [
        { action: 'refund.retry', outRefundNo, operatorEmail: 'finance@example.com' },
        { action: 'refund.approve', outRefundNo, operatorEmail: 'owner@example.com' },
        { action: 'refund.request', outRefundNo: null, operatorEmail: 'finance@example.com' },
      ],
    })
    const atOf = (kind: string) => order.events.find((event) => event.kind === kind)?.at
    expect(order.grants.map(({ createdAt }) => createdAt)).toEqual([atOf('pay'), atOf('refund')])
    expect(order.events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['refund_requested', 'refund_approved', 'refund']),
    )
    expect(await actionsOf(outRefundNo)).toEqual(['refund.approve', 'refund.retry'])
  })

  test('is written once when the button is pressed twice', async () => {
    const { outTradeNo } = await bought()
    const press = () => consoles.finance.refund.request.mutate(wish(outTradeNo, 1000))
    const answers = await Promise.allSettled([press(), press(), press()])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { items } = await consoles.viewer.refund.list.query({ search: outTradeNo })
    expect(items).toHaveLength(1)
    expect(await problemOf(press())).toBe('refund_not_possible')
    expect((await consoles.finance.refund.request.mutate(wish(outTradeNo, 1000, 1000))).status).toBe(
      'approved',
    )
  })

  test('is decided once when approved and rejected at once', async () => {
    const { outTradeNo } = await bought('yearly')
    const { outRefundNo } = await consoles.finance.refund.request.mutate(wish(outTradeNo, 26_800))
    const answers = await Promise.allSettled(
      [true, false, true, false].map((approve) =>
        consoles.owner.refund.decide.mutate({ outRefundNo, approve }),
      ),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await actionsOf(outRefundNo)).toHaveLength(1)
  })

  test('may be taken back by whoever asked for it, and frees its sum', async () => {
    const { outTradeNo } = await bought('yearly')
    const { outRefundNo } = await consoles.finance.refund.request.mutate(wish(outTradeNo, 26_800))
    const rejected = await consoles.finance.refund.decide.mutate({ outRefundNo, approve: false })
    expect(rejected).toMatchObject({ status: 'rejected', isOwn: true })
    expect(await consoles.finance.refund.preview.query({ outTradeNo, amountFen: 26_800 })).toMatchObject({
      refundableFen: 26_800,
      obstacle: null,
    })
  })

  test('that the platform calls abnormal is sent to a card, whose number is kept nowhere', async () => {
    const { outTradeNo } = await bought()
    const { outRefundNo } = await consoles.finance.refund.request.mutate(wish(outTradeNo, 2900))
    await consoles.finance.refund.retry.mutate({ outRefundNo })
    await world.platform.settleRefund(outRefundNo, 'ABNORMAL')
    const account = '6222020000112233445'
    const redirect = {
      outRefundNo,
      to: 'user_bank_card' as const,
      bankType: 'ICBC_DEBIT',
      bankAccount: account,
      realName: '张三',
    }
    expect(await problemOf(consoles.operator.refund.redirect.mutate(redirect))).toBe('forbidden')
    expect(await consoles.finance.refund.redirect.mutate(redirect)).toMatchObject({ status: 'processing' })
    expect(await problemOf(consoles.finance.refund.redirect.mutate(redirect))).toBe('changed_meanwhile')
    const kept = await world.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM audit_entries a WHERE a::text LIKE '%' || $1 || '%')
           OR EXISTS (SELECT 1 FROM refunds r WHERE r::text LIKE '%' || $1 || '%') AS found`,
      [account],
    )
    expect(kept).toEqual([{ found: false }])
  })

  test.each(['viewer', 'operator'] as const)('is no business of a %s', async (role) => {
    const { outTradeNo } = await bought()
    expect(await problemOf(consoles[role].refund.request.mutate(wish(outTradeNo, 1)))).toBe('forbidden')
    const nowhere = { outRefundNo: 'R00000000000000000000000000' }
    expect(await problemOf(consoles[role].refund.retry.mutate(nowhere))).toBe('forbidden')
    expect(await problemOf(consoles[role].refund.decide.mutate({ ...nowhere, approve: true }))).toBe(
      'forbidden',
    )
  })
})

test('the list of refunds is read both ways, filtered and summed', async () => {
  const all: RefundRow[] = []
  let cursor: string | null | undefined
  do {
    const page = await consoles.viewer.refund.list.query({ limit: 3, ...(cursor && { cursor }) })
    all.push(...page.items)
    cursor = page.nextCursor
  } while (cursor)
  const numbers = all.map(({ outRefundNo }) => outRefundNo)
  expect(new Set(numbers).size).toBe(numbers.length)
  const totals = await consoles.viewer.refund.totals.query({})
  expect(totals).toEqual({
    count: all.length,
    amountFen: all.reduce((sum, { amountFen }) => sum + amountFen, 0),
    refundedFen: all.reduce(
      (sum, { status, amountFen }) => sum + (status === 'succeeded' ? amountFen : 0),
      0,
    ),
    more: false,
  })
  const rejected = await consoles.viewer.refund.list.query({ status: 'rejected', sort: 'oldest' })
  expect(rejected.items.map(({ status }) => status)).toContain('rejected')
  const [first] = numbers
  expect((await consoles.viewer.refund.list.query({ search: first ?? '' })).items).toHaveLength(1)
})

describe('the inbox', () => {
  test('is listed by outcome, shows headers and a masked payload, and the bytes only for a reason', async () => {
    const { phone, outTradeNo } = await bought()
    const { items } = await consoles.viewer.notification.list.query({ search: outTradeNo })
    expect(items).toMatchObject([{ outcome: 'applied', outTradeNo, deliveries: 1 }])
    const id = items[0]?.id ?? ''
    const detail = await consoles.viewer.notification.detail.query({ id })
    expect(Object.keys(detail.headers)).toContain('wechatpay-signature')
    expect(JSON.stringify(detail.payload)).not.toContain(phone.openid)
    expect(JSON.stringify(detail.payload)).toContain(outTradeNo)
    const reveal = { id, reason: 'the customer disputes it' }
    for (const who of [consoles.viewer, consoles.finance])
      expect(await problemOf(who.notification.payload.mutate(reveal))).toBe('forbidden')
    const shown = await consoles.operator.notification.payload.mutate(reveal)
    expect(JSON.stringify(shown.payload)).toContain(phone.openid)
    expect(JSON.parse(shown.body)).toMatchObject({ event_type: 'TRANSACTION.SUCCESS' })
    expect(await actionsOf(id)).toEqual(['notification.payload'])
    const applied = await consoles.viewer.notification.count.query({ outcome: 'applied' })
    expect(applied.count).toBeGreaterThan(0)
    const pages = await consoles.viewer.notification.list.query({ outcome: 'applied', limit: 1 })
    const next = await consoles.viewer.notification.list.query({
      outcome: 'applied',
      limit: 1,
      cursor: pages.nextCursor ?? '',
    })
    expect(next.items[0]?.id).not.toBe(pages.items[0]?.id)
    expect(next.previousCursor).not.toBeNull()
  })

  test('shows what was refused, and how often', async () => {
    await world.query(
      `INSERT INTO rejected_deliveries (reason, source, headers, body) VALUES ('bad_signature', '203.0.113.9', '{"user-agent":"x"}', 'abc')`,
    )
    await world.query(
      `INSERT INTO rejection_counts (reason, hour, count) VALUES ('bad_signature', date_trunc('hour', now()), 7)`,
    )
    const page = await consoles.viewer.notification.rejected.query({ reason: 'bad_signature' })
    expect(page.items).toMatchObject([{ source: '203.0.113.9', bodyBytes: 3 }])
    expect(page.counts).toContainEqual({ reason: 'bad_signature', count: 7 })
  })
})

test('parked orders are listed apart from those that were left as they are', async () => {
  const { outTradeNo } = await bought()
  await parkOrder(world.services.database.pool, {
    outTradeNo,
    reason: 'refunded_more_than_paid',
    trace: { channel: 'job', requestId: null },
  })
  const parked = async (left: boolean) =>
    (await consoles.viewer.alert.parked.query({ left })).items.map((order) => order.outTradeNo)
  expect(await parked(false)).toContain(outTradeNo)
  await consoles.operator.order.decide.mutate({
    outTradeNo,
    parkReason: 'refunded_more_than_paid',
    decision: 'leave',
    note: 'a known case',
  })
  expect(await parked(false)).not.toContain(outTradeNo)
  expect(await parked(true)).toContain(outTradeNo)
})
