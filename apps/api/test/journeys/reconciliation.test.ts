import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { systemRuntime } from '@meridian/payments'
import type { BillDifference, PlatformRefund } from '@meridian/payments/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reconcileByClock } from '../../src/doors/jobs/catch-up-with-platform.ts'
import { jobShapes } from '../../src/jobs/job-table.ts'
import { dayBefore } from '../../src/platform/time/business-time.ts'
import { closeDay, resolveDifference, takeDifference } from '../../src/reconciliation/close-day.ts'
import { requestReconciliation } from '../../src/reconciliation/reconcile-day.ts'
import { findDay, listDays, listDifferences } from '../../src/reconciliation/show-reconciliation.ts'
import { returnSecondPayment } from '../../src/refunds/return-second-payment.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { hire } from '../world/console.ts'
import { passUntil } from '../world/pass-until.ts'
import type { Phone } from '../world/phone.ts'
import { askRefund } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { tamper } from '../world/tamper.ts'
import { useTestWorld } from '../world/use-opened.ts'

const chinaDate = (instant: Date) => new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)

/** Planted only while the fund-flow bill is written: the two bills then differ from each other. */
let inFundFlow: BillDifference[] = []
let corruptDownload = false

const outsideFetch: typeof fetch = async (input, init) => {
  const url = String(input instanceof Request ? input.url : input)
  if (url.includes('/fundflowbill') && inFundFlow.length > 0) world.platform.plantDifferences(inFundFlow)
  const response = await systemRuntime.fetch(input, init)
  if (!corruptDownload || !url.includes('/billdownload/')) return response
  const bytes = new Uint8Array(await response.arrayBuffer())
  return new Response(bytes.subarray(0, bytes.length - 30), { status: 200 })
}
// The platform ends no refund by itself.
const world = useTestWorld({ platform: { refundsSettleAfterMs: null }, runtime: { fetch: outsideFetch } })
let finance: string
beforeAll(async () => {
  finance = await hire(world, { email: 'finance@example.com', role: 'finance' })
})
afterEach(() => {
  inFundFlow = []
  corruptDownload = false
  world.platform.plantDifferences([])
  world.platform.faults.clear()
})

const dayMs = 86_400_000
const now = () => world.services.runtime.now()

// Every test has a day of its own, and begins at its noon in China.
let noon: Date
let date: string
beforeEach(async () => {
  const today = Date.parse(`${chinaDate(now())}T12:00:00+08:00`)
  noon = new Date(now().getTime() < today ? today : today + dayMs)
  await passUntil(world, noon)
  date = chinaDate(noon)
})

/** A moment of the day after one, in China. */
const nextDay = (day: string, time: string) => new Date(Date.parse(`${day}T${time}+08:00`) + dayMs)

const pool = () => world.services.database.pool
const from = { address: '127.0.0.1', userAgent: 'test', requestId: 'test' }
const reconcileNow = (day = date) => reconcileByClock(world.services, { date: day })
/** Reconciles a day when its bill is there: the next morning, or at once when that is past. */
async function reconcile(day = date): Promise<void> {
  await passUntil(world, nextDay(day, '10:30:00'))
  await reconcileNow(day)
}
const plant = (...differences: BillDifference[]) => world.platform.plantDifferences(differences)

let keys = 0
async function buyAndPay(phone: Phone, changes: { silent?: boolean; paidAt?: Date; plan?: string } = {}) {
  const { plan = 'monthly', ...payment } = changes
  keys += 1
  const purchase = await phone.buys(plan, `key-${keys}`)
  const outTradeNo = purchase.order.out_trade_no
  await phone.pays(purchase, payment)
  const transactionId = world.platform.orders.get(outTradeNo)?.payments[0]?.transactionId ?? ''
  return { outTradeNo, transactionId }
}

const differences = async (day = date) =>
  (await listDifferences(pool(), { date: day, limit: 100 }, 'masked')).items
const kinds = async (day = date) =>
  (await differences(day)).map(({ kind, state }) => `${kind} ${state}`).sort()
const totals = (day = date) => findDay(pool(), day)

const rewriteOrder = (outTradeNo: string, assignments: string) =>
  tamper(world, `UPDATE orders SET ${assignments} WHERE out_trade_no = '${outTradeNo}'`)

/** The platform's own refund of an order. */
async function refund(outTradeNo: string, amountFen: number): Promise<PlatformRefund> {
  const { outRefundNo } = await askRefund(world, { outTradeNo, amountFen, operatorId: finance })
  await trackRefund(world.services, { outRefundNo, attempt: 0 })
  const theirs = world.platform.refunds.get(outRefundNo)
  if (!theirs) throw new Error('the platform knows the refund')
  return theirs
}

describe('a day that agrees', () => {
  test('has three equal sums, no difference, and keeps both bills with their hash and without the payer', async () => {
    const phone = await world.phone()
    await buyAndPay(phone)
    await buyAndPay(await world.phone(), { plan: 'yearly' })
    await reconcile()
    expect(await totals()).toMatchObject({
      state: 'matched',
      orderFen: 29_700,
      ledgerFen: 29_700,
      billFen: 29_700,
      explained: true,
      differences: 0,
    })
    const bills = await world.query<{ kind: string; sha1: string; row_count: number; gzip: Buffer }>(
      `SELECT kind, sha1, row_count, string_agg(bytes, ''::bytea ORDER BY seq) AS gzip
       FROM bills JOIN bill_pieces ON bill_id = id WHERE bill_date = $1 GROUP BY id ORDER BY kind`,
      [date],
    )
    expect(bills.map(({ kind, row_count }) => [kind, row_count])).toEqual([
      ['trade', 2],
      ['fund_flow', 4],
    ])
    const [trade, flow] = bills.map(({ gzip }) => gunzipSync(gzip))
    expect(
      createHash('sha1')
        .update(flow ?? '')
        .digest('hex'),
    ).toBe(bills[1]?.sha1)
    expect(trade?.toString()).toContain('总交易单数')
    expect(trade?.toString()).not.toContain(phone.openid)
  })

  test('counts a payment by the day in China, to the second before midnight', async () => {
    const [justBefore, midnight] = [new Date(`${date}T23:59:59+08:00`), new Date(`${date}T00:00:00+08:00`)]
    await buyAndPay(await world.phone(), { paidAt: midnight })
    await buyAndPay(await world.phone(), { paidAt: new Date(midnight.getTime() - 1000) })
    await passUntil(world, justBefore)
    await buyAndPay(await world.phone(), { paidAt: justBefore })
    await reconcile()
    expect(await totals()).toMatchObject({ orderFen: 5800, ledgerFen: 5800, billFen: 5800, differences: 0 })
  })

  test('may be empty: no statement is a normal day', async () => {
    await reconcile()
    expect(await totals()).toMatchObject({ state: 'matched', orderFen: 0, billFen: 0, explained: true })
    expect(await world.query('SELECT row_count FROM bills WHERE bill_date = $1', [date])).toEqual([
      { row_count: 0 },
      { row_count: 0 },
    ])
  })
})

describe('each kind of difference is found once', () => {
  /** Reconciles twice: the second run must not add, change or reopen anything. */
  async function reconcileTwice() {
    await reconcile()
    const first = await world.query(
      'SELECT id, state, found_at FROM reconciliation_differences WHERE date = $1',
      [date],
    )
    const sums = await totals()
    await Promise.all([reconcile(), reconcile()])
    expect(
      await world.query('SELECT id, state, found_at FROM reconciliation_differences WHERE date = $1', [date]),
    ).toEqual(first)
    expect(await totals()).toMatchObject({ ...sums, matchedAt: expect.any(Date) })
  }

  test('ours only: paid here, and the bill does not know it', async () => {
    const known = await buyAndPay(await world.phone())
    const missing = await buyAndPay(await world.phone(), { plan: 'quarterly' })
    plant({ kind: 'missing', outTradeNo: missing.outTradeNo })
    await reconcileTwice()
    expect(await differences()).toEqual([
      expect.objectContaining({
        kind: 'ours_only',
        state: 'open',
        outTradeNo: missing.outTradeNo,
        transactionId: missing.transactionId,
        ours: expect.objectContaining({ amount_fen: 7900, status: 'paid' }),
        theirs: null,
        suggestedAction: 'ask_platform',
        billGapFen: -7900,
      }),
    ])
    expect(await totals()).toMatchObject({
      orderFen: 10_800,
      ledgerFen: 10_800,
      billFen: 2900,
      explained: true,
    })
    expect(known.outTradeNo).not.toBe(missing.outTradeNo)
  })

  test('theirs only: a payment that nobody told us of ends paid, with its days', async () => {
    const phone = await world.phone()
    const { outTradeNo, transactionId } = await buyAndPay(phone, { silent: true })
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'prepay' })
    await reconcileTwice()
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'paid' })
    expect((await phone.subscription()).remaining_days).toBe(30)
    expect(
      await world.query('SELECT confirmed_by FROM orders WHERE out_trade_no = $1', [outTradeNo]),
    ).toEqual([{ confirmed_by: 'bill' }])
    expect(await differences()).toEqual([
      expect.objectContaining({
        kind: 'theirs_only',
        state: 'resolved',
        transactionId,
        resolution: 'paid_from_bill',
      }),
    ])
    expect(await totals()).toMatchObject({ orderFen: 2900, ledgerFen: 2900, billFen: 2900, explained: true })
  })

  test('theirs only: an order that expired here while it was paid there ends paid too', async () => {
    const phone = await world.phone()
    const purchase = await phone.buys('monthly', 'closed-here')
    const outTradeNo = purchase.order.out_trade_no
    await phone.call(`/subscription/orders/${outTradeNo}/cancel`, { method: 'POST' })
    await world.platform.pay(outTradeNo, { late: true, silent: true })
    await reconcileTwice()
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'paid' })
    expect(await kinds()).toEqual(['theirs_only resolved'])
  })

  test('theirs only: an order that we never made, a second payment, and a row that stands there twice', async () => {
    const twice = await buyAndPay(await world.phone())
    const second = await buyAndPay(await world.phone())
    await world.platform.pay(second.outTradeNo, { again: true, silent: true })
    const unknown = await buyAndPay(await world.phone(), { silent: true })
    await rewriteOrder(unknown.outTradeNo, `out_trade_no = 'M' || reverse(substr(out_trade_no, 2))`)
    plant({ kind: 'twice', outTradeNo: twice.outTradeNo })
    await reconcileTwice()
    const found = await differences()
    expect(found.map((item) => [item.outTradeNo, item.suggestedAction])).toEqual(
      expect.arrayContaining([
        [twice.outTradeNo, 'ask_platform'],
        [second.outTradeNo, 'refund_second_payment'],
        [unknown.outTradeNo, 'find_order'],
      ]),
    )
    expect(found.map(({ kind, state, billGapFen }) => `${kind} ${state} ${billGapFen}`)).toEqual(
      Array.from({ length: 3 }, () => 'theirs_only open 2900'),
    )
    expect(await totals()).toMatchObject({ orderFen: 5800, billFen: 14_500, explained: true })
    const alerts = await world.query('SELECT kind FROM alerts WHERE subject = ANY($1) ORDER BY kind', [
      [second.outTradeNo, unknown.outTradeNo],
    ])
    expect(alerts).toEqual([{ kind: 'order_unknown' }, { kind: 'second_transaction' }])
  })

  test('theirs only: a second payment that went back explains itself, and both days close', async () => {
    const { outTradeNo } = await buyAndPay(await world.phone())
    await world.platform.pay(outTradeNo, { again: true, silent: true })
    const transactionId = world.platform.orders.get(outTradeNo)?.payments[1]?.transactionId ?? ''
    await reconcile()
    expect(await kinds()).toEqual(['theirs_only open'])
    const { prisma } = world.services.database
    const close = (day: string) => closeDay(prisma, { date: day, operatorId: finance, from })
    expect(await close(date)).toBe('open_differences')
    const asked = { outTradeNo, transactionId, amountFen: 2900, reservedFen: 0, note: '' }
    const actor = { operatorId: finance, from }
    const { outRefundNo } = await returnSecondPayment(pool(), { ...asked, reason: 'duplicate' }, actor)
    const refundDate = chinaDate(now())
    await trackRefund(world.services, { outRefundNo, attempt: 0 })
    await world.platform.settleRefund(outRefundNo)
    await reconcile()
    expect(await differences()).toMatchObject([
      { kind: 'theirs_only', state: 'resolved', resolution: 'second_payment_refunded', billGapFen: 2900 },
    ])
    expect(await close(date)).toBe('closed')
    await reconcile(refundDate)
    expect(await kinds(refundDate)).toEqual([])
    expect(await close(refundDate)).toBe('closed')
  })

  test('amount: the bill says another sum, to the fen', async () => {
    const { outTradeNo, transactionId } = await buyAndPay(await world.phone())
    plant({ kind: 'wrong_amount', outTradeNo, byFen: -1 })
    await reconcileTwice()
    expect(await differences()).toEqual([
      expect.objectContaining({
        kind: 'amount',
        transactionId,
        ours: expect.objectContaining({ amount_fen: 2900 }),
        theirs: expect.objectContaining({ amount_fen: 2899 }),
        suggestedAction: 'check_amount',
        billGapFen: -1,
      }),
    ])
    expect(await totals()).toMatchObject({ orderFen: 2900, billFen: 2899, explained: true })
  })

  test('amount: an unpaid order for which another sum was paid stays unpaid', async () => {
    const phone = await world.phone()
    const { outTradeNo } = await buyAndPay(phone, { silent: true })
    plant({ kind: 'wrong_amount', outTradeNo, byFen: 100 })
    await reconcileTwice()
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'prepay' })
    expect(await differences()).toEqual([
      expect.objectContaining({ kind: 'amount', state: 'open', outTradeNo, billGapFen: 3000 }),
    ])
    expect(await totals()).toMatchObject({ orderFen: 0, billFen: 3000, explained: true })
  })

  test('status: paid there for other terms than ours, so unpaid here', async () => {
    const phone = await world.phone()
    const { outTradeNo } = await buyAndPay(phone, { silent: true })
    await rewriteOrder(outTradeNo, `app_id = 'wxother'`)
    await reconcileTwice()
    expect(await differences()).toEqual([
      expect.objectContaining({
        kind: 'status',
        state: 'open',
        outTradeNo,
        suggestedAction: 'check_terms',
        billGapFen: 2900,
      }),
    ])
  })

  test('status: a late payment that waits for a decision is in the orders and not in the ledger', async () => {
    await setSetting(world, 'late_payment_policy', 'ask')
    const phone = await world.phone()
    const purchase = await phone.buys('monthly', 'late-and-parked')
    const outTradeNo = purchase.order.out_trade_no
    await phone.call(`/subscription/orders/${outTradeNo}/cancel`, { method: 'POST' })
    await world.passTime({ hours: 1 })
    await world.platform.pay(outTradeNo, { late: true, silent: true })
    await world.platform.deliver(world.platform.notification(outTradeNo))
    await setSetting(world, 'late_payment_policy', 'activate')
    await reconcileTwice()
    expect(await differences()).toEqual([
      expect.objectContaining({
        kind: 'status',
        outTradeNo,
        suggestedAction: 'decide_parked',
        ledgerGapFen: 2900,
      }),
    ])
    expect(await totals()).toMatchObject({ orderFen: 2900, ledgerFen: 0, billFen: 2900, explained: true })
  })

  test('refund: in neither bill, with another sum, and not ours at all', async () => {
    const [unbilled, changed, foreign] = [
      await buyAndPay(await world.phone()),
      await buyAndPay(await world.phone()),
      await buyAndPay(await world.phone()),
    ]
    const one = await refund(unbilled.outTradeNo, 1000)
    const two = await refund(changed.outTradeNo, 1000)
    const outRefundNo = 'EXTERNAL-1'
    const payments = world.services.payments
    await payments?.requestRefund({
      outRefundNo,
      outTradeNo: foreign.outTradeNo,
      amountFen: 500,
      totalFen: 2900,
    })
    plant(
      { kind: 'missing', outRefundNo: one.outRefundNo },
      { kind: 'wrong_amount', outRefundNo: two.outRefundNo, byFen: 7 },
    )
    await reconcileTwice()
    const found = (await differences()).map((item) => [item.kind, item.outRefundNo, item.suggestedAction])
    expect(found).toEqual(
      expect.arrayContaining([
        ['refund', one.outRefundNo, 'follow_refund'],
        ['refund', two.outRefundNo, 'check_amount'],
        ['refund', outRefundNo, 'record_external_refund'],
      ]),
    )
    expect(found).toHaveLength(3)
  })

  test('refund: closed there while it is on its way here', async () => {
    const { outTradeNo } = await buyAndPay(await world.phone())
    const theirs = await refund(outTradeNo, 1000)
    theirs.status = 'CLOSED'
    await reconcileTwice()
    expect(await differences()).toEqual([
      expect.objectContaining({
        kind: 'refund',
        outRefundNo: theirs.outRefundNo,
        ours: expect.objectContaining({ status: 'processing' }),
        theirs: expect.objectContaining({ status: 'closed' }),
      }),
    ])
  })

  test('fee: a bill that names its fees by type alone agrees, and the day can be closed', async () => {
    await buyAndPay(await world.phone())
    inFundFlow = [{ kind: 'fee_by_type' }]
    await reconcile()
    expect(await differences()).toEqual([])
    expect(await totals()).toMatchObject({ explained: true })
  })

  test('fee: the money that moved is not the money of the trade bill', async () => {
    const { outTradeNo, transactionId } = await buyAndPay(await world.phone())
    inFundFlow = [{ kind: 'wrong_amount', outTradeNo, byFen: 1000 }]
    const unbooked = await buyAndPay(await world.phone())
    inFundFlow.push({ kind: 'missing', outTradeNo: unbooked.outTradeNo })
    await reconcile()
    world.platform.plantDifferences([])
    await reconcile()
    const found = await differences()
    expect(found).toHaveLength(3)
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'fee',
          transactionId,
          theirs: { fee_hundred_thousandths: 17_400, rate: '0.60%', taken_fen: 23 },
        }),
        expect.objectContaining({
          kind: 'amount',
          transactionId,
          theirs: { settled_fen: 2900, booked_fen: 3900 },
        }),
        expect.objectContaining({
          kind: 'amount',
          transactionId: unbooked.transactionId,
          theirs: { settled_fen: 2900, booked_fen: null },
        }),
      ]),
    )
    expect(await totals()).toMatchObject({ orderFen: 5800, billFen: 5800, explained: true })
  })
})

test('a refund that succeeded there and is unfinished here is settled by the bill', async () => {
  const phone = await world.phone()
  const { outTradeNo } = await buyAndPay(phone)
  const theirs = await refund(outTradeNo, 2900)
  theirs.status = 'SUCCESS'
  theirs.succeededAt = now()
  await reconcile()
  expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded', refunded_fen: 2900 })
  expect(await differences()).toEqual([])
})

test('a payment on the other side of midnight explains itself when the next bill is here', async () => {
  const paidAt = new Date(`${date}T23:59:59+08:00`)
  await passUntil(world, paidAt)
  const { outTradeNo, transactionId } = await buyAndPay(await world.phone(), { paidAt })
  const payment = world.platform.orders.get(outTradeNo)?.payments[0]
  if (!payment) throw new Error('paid')
  payment.paidAt = new Date(paidAt.getTime() + 2000)
  const nextDate = chinaDate(payment.paidAt)
  await reconcile()
  expect(await kinds()).toEqual(['ours_only open'])
  await reconcile(nextDate)
  expect(await differences()).toEqual([
    expect.objectContaining({
      kind: 'ours_only',
      state: 'resolved',
      resolution: 'in_another_bill',
      transactionId,
    }),
  ])
  expect(await differences(nextDate)).toEqual([
    expect.objectContaining({ kind: 'theirs_only', state: 'resolved', resolution: 'paid_on_another_day' }),
  ])
  expect(await totals(nextDate)).toMatchObject({ orderFen: 0, billFen: 2900, explained: true })
})

test('a difference that a later issue of the bill no longer has ends by itself, and both issues are kept', async () => {
  const { outTradeNo } = await buyAndPay(await world.phone())
  plant({ kind: 'wrong_amount', outTradeNo, byFen: 5 })
  await reconcile()
  plant()
  await reconcile()
  expect(await differences()).toEqual([
    expect.objectContaining({
      kind: 'amount',
      state: 'resolved',
      resolution: 'no_longer_found',
      billGapFen: 0,
    }),
  ])
  expect(await totals()).toMatchObject({ orderFen: 2900, billFen: 2900, explained: true })
  expect(
    await world.query(`SELECT 1 FROM bills WHERE bill_date = $1 AND kind = 'trade'`, [date]),
  ).toHaveLength(2)
  plant({ kind: 'wrong_amount', outTradeNo, byFen: 5 })
  await reconcile()
  expect(await kinds()).toEqual(['amount open'])
})

describe('a bill that cannot be had', () => {
  test('is refused when its bytes have another hash: nothing is compared, and an alert says so', async () => {
    const { outTradeNo } = await buyAndPay(await world.phone())
    plant({ kind: 'missing', outTradeNo })
    await buyAndPay(await world.phone())
    corruptDownload = true
    await expect(reconcile()).rejects.toMatchObject({ name: 'PaymentsError' })
    expect(await totals()).toMatchObject({ state: 'open' })
    expect(await differences()).toEqual([])
    expect(await world.query('SELECT kind FROM alerts WHERE subject = $1', [date])).toEqual([
      { kind: 'bill_unavailable' },
    ])
  })

  test('is asked for again in half an hour while the platform is still writing it, once however often', async () => {
    await buyAndPay(await world.phone())
    await passUntil(world, nextDay(date, '08:30:00'))
    await reconcileNow()
    await reconcileNow()
    const jobs = await world.query(
      `SELECT key, round(extract(epoch FROM run_at - now()) / 60)::int AS minutes
       FROM graphile_worker.jobs WHERE task_identifier = 'reconcile_day'`,
    )
    expect(jobs).toEqual([{ key: `reconcile:${date}`, minutes: 30 }])
    expect(await totals()).toMatchObject({ state: 'open' })
    await world.passTime({ minutes: 30 })
    await reconcileNow()
    expect(await totals()).toMatchObject({ state: 'matched' })
  })
})

describe('an operator', () => {
  test('has any day reconciled, as one job however often they press', async () => {
    await passUntil(world, nextDay(date, '00:00:00'))
    const ask = () => requestReconciliation(world.services, { date, operatorId: finance, from })
    await Promise.all([ask(), ask()])
    expect(
      await world.query(`SELECT run_at <= now() AS due FROM graphile_worker.jobs WHERE key = $1`, [
        `reconcile:${date}`,
      ]),
    ).toEqual([{ due: true }])
  })

  test('takes and resolves a difference, once, on the record', async () => {
    const { outTradeNo } = await buyAndPay(await world.phone())
    plant({ kind: 'missing', outTradeNo })
    await reconcile()
    const [item] = await differences()
    const act = { differenceId: BigInt(item?.id ?? 0), operatorId: finance, from }
    const { prisma } = world.services.database
    expect(await takeDifference(prisma, act)).toBe('done')
    expect((await differences())[0]).toMatchObject({ ownerEmail: 'finance@example.com' })
    expect(await resolveDifference(prisma, { ...act, resolution: 'asked: booked by hand' })).toBe('done')
    expect(await resolveDifference(prisma, { ...act, resolution: 'again' })).toBe('gone')
    expect(await takeDifference(prisma, act)).toBe('gone')
    const audit = await world.query(`SELECT action FROM audit_entries WHERE subject_id = $1 ORDER BY id`, [
      String(item?.id),
    ])
    expect(audit).toEqual([{ action: 'reconciliation.take' }, { action: 'reconciliation.resolve' }])
    await reconcile()
    expect((await differences())[0]).toMatchObject({ state: 'resolved', resolution: 'asked: booked by hand' })
  })

  test('closes a day only when it is matched and nothing is open', async () => {
    const { prisma } = world.services.database
    const close = () => closeDay(prisma, { date, operatorId: finance, from })
    expect(await close()).toBe('not_matched')
    const { outTradeNo } = await buyAndPay(await world.phone())
    plant({ kind: 'missing', outTradeNo })
    await reconcile()
    expect(await close()).toBe('open_differences')
    const [item] = await differences()
    await resolveDifference(prisma, {
      differenceId: BigInt(item?.id ?? 0),
      operatorId: finance,
      from,
      resolution: 'asked',
    })
    expect((await Promise.all([close(), close()])).sort()).toEqual(['already_closed', 'closed'])
    expect(await totals()).toMatchObject({
      state: 'closed',
      closedBy: 'finance@example.com',
      orderFen: 2900,
      billFen: 0,
    })
  })

  test('finds later differences of a closed day as adjustments, and its figures unchanged', async () => {
    const { prisma } = world.services.database
    const phone = await world.phone()
    const known = await buyAndPay(await world.phone())
    await reconcile()
    expect(await closeDay(prisma, { date, operatorId: finance, from })).toBe('closed')
    const closed = await totals()
    const late = await buyAndPay(phone, { silent: true, paidAt: noon })
    plant({ kind: 'wrong_amount', outTradeNo: known.outTradeNo, byFen: 3 })
    await reconcile()
    await reconcile()
    expect((await differences()).map(({ kind, adjustment, state }) => ({ kind, adjustment, state }))).toEqual(
      expect.arrayContaining([
        { kind: 'theirs_only', adjustment: true, state: 'resolved' },
        { kind: 'amount', adjustment: true, state: 'open' },
      ]),
    )
    expect(await differences()).toHaveLength(2)
    expect(await phone.order(late.outTradeNo)).toMatchObject({ status: 'paid' })
    expect(await totals()).toEqual({ ...closed, differences: 2, adjustments: 2, openDifferences: 1 })
    await expect(
      world.query(`UPDATE reconciliation_days SET state = 'matched' WHERE date = $1`, [date]),
    ).rejects.toThrow(/is closed/)
  })

  test('reads days from the newest on', async () => {
    const days = await listDays(pool(), { limit: 3 })
    expect(days.items).toHaveLength(3)
    const more = await listDays(pool(), { limit: 3, cursor: days.nextCursor ?? '' })
    const dates = [...days.items, ...more.items].map((day) => day.date)
    expect(dates).toEqual([...new Set(dates)].sort().reverse())
    const back = await listDays(pool(), { limit: 3, cursor: more.previousCursor ?? '' })
    expect(back.items).toEqual(days.items)
  })
})

test('the clock means the day before its own moment in China, also when it is made up for later', async () => {
  await buyAndPay(await world.phone())
  const halfPastTen = nextDay(date, '10:30:00')
  await passUntil(world, new Date(halfPastTen.getTime() + dayMs))
  // The queue counts by the machine's clock.
  const ts = new Date(halfPastTen.getTime() - (await world.services.clock.read()))
  const told = jobShapes.reconcile_day.parse({ _cron: { ts: ts.toISOString(), backfilled: true } })
  await reconcileByClock(world.services, told)
  expect(await totals()).toMatchObject({ state: 'matched', billFen: 2900 })
})

test('rows of a bill stay when the platform has it no longer: a refund to come may ask for them', async () => {
  await buyAndPay(await world.phone())
  await reconcile()
  await world.passTime({ days: 120 })
  await reconcileNow(dayBefore(now()))
  const kept = await world.query(
    `SELECT (SELECT count(*)::int FROM bill_rows WHERE bill_id = b.id) AS rows FROM bills b WHERE bill_date = $1 AND kind = 'trade'`,
    [date],
  )
  expect(kept).toEqual([{ rows: 1 }])
})

test('a bill of many rows is kept and compared to the last fen', async () => {
  const phone = await world.phone()
  const { outTradeNo } = await buyAndPay(phone)
  const order = world.platform.orders.get(outTradeNo)
  const payment = order?.payments[0]
  if (!order || !payment) throw new Error('paid')
  for (let n = 1; n <= 1200; n += 1) {
    order.payments.push({
      ...payment,
      transactionId: `${payment.transactionId.slice(0, 20)}${String(n).padStart(8, '0')}`,
    })
  }
  await reconcile()
  expect(await totals()).toMatchObject({
    orderFen: 2900,
    billFen: 1201 * 2900,
    differences: 1200,
    explained: true,
  })
})

test('after every bill the ledger recomputes to what is stored', async () => {
  expect((await verifyLedger(pool())).differences).toEqual([])
})
