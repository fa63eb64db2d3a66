import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chinaTime } from '../src/endpoints/orders.ts'
import { createPayments, type Payments, systemRuntime } from '../src/index.ts'
import {
  fileStore,
  generatePlatformKeys,
  type Platform,
  type PlatformOptions,
  startPlatform,
} from '../src/testing/index.ts'
import { type MerchantServer, startMerchantServer } from './world/merchant-server.ts'
import { anOrder } from './world/world.ts'

const keys = generatePlatformKeys()
const DAY_MS = 86_400_000

describe('a platform with a folder', () => {
  let folder = ''
  let merchant: MerchantServer
  let life: { platform: Platform; payments: Payments; end: () => Promise<void> }

  /** The platform's program, from its start to its end, and a merchant's client that knows where it is. */
  async function begin(options: PlatformOptions = {}) {
    const store = fileStore(folder)
    const platform = await startPlatform({ keys: structuredClone(keys), store, ...options })
    const payments = createPayments(platform.settings({ notifyUrl: merchant.notifyUrl }), {
      ...systemRuntime,
      now: platform.now,
    })
    merchant.use(payments)
    const end = async () => {
      await platform.stop()
      store.close()
    }
    return { platform, payments, end }
  }
  const startAgain = async (options: PlatformOptions = {}) => {
    await life.end()
    life = await begin(options)
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'durable-platform-'))
    merchant = await startMerchantServer()
    life = await begin()
  })
  afterEach(async () => {
    await life.end()
    await merchant.stop()
    rmSync(folder, { recursive: true })
  })

  async function paidOrder(changes: { silent?: boolean } = {}) {
    const order = anOrder()
    await life.payments.prepay(order)
    await life.platform.pay(order.outTradeNo, changes)
    return order
  }
  const refundOf = ({ outTradeNo }: { outTradeNo: string }) => ({
    outRefundNo: `R${outTradeNo}`,
    outTradeNo,
    amountFen: 7900,
    totalFen: 7900,
  })

  it('knows after a restart what was ordered, paid, closed and refunded', async () => {
    const [unpaid, closed] = [anOrder(), anOrder()]
    for (const order of [unpaid, closed]) await life.payments.prepay(order)
    await life.payments.closeOrder(closed.outTradeNo)
    const [paid, refunded] = [await paidOrder(), await paidOrder()]
    await life.payments.requestRefund(refundOf(refunded))
    await life.platform.settleRefund(refundOf(refunded).outRefundNo)
    const before = [...life.platform.orders.values(), ...life.platform.refunds.values()]
    await startAgain()
    expect([...life.platform.orders.values(), ...life.platform.refunds.values()]).toEqual(before)
    const states = await Promise.all(
      [unpaid, closed, paid, refunded].map(({ outTradeNo }) => life.payments.queryOrder(outTradeNo)),
    )
    expect(states.map(({ state }) => state)).toEqual(['not_paid', 'closed', 'paid', 'refunded'])
  })

  it('pays an order of last week, and gives its money back a year later at most', async () => {
    const [bought, late] = [await paidOrder(), await paidOrder()]
    await startAgain()
    await life.platform.moveClock(7 * DAY_MS)
    await life.payments.requestRefund(refundOf(bought))
    await life.platform.moveClock(359 * DAY_MS)
    await expect(life.payments.requestRefund(refundOf(late))).rejects.toMatchObject({ code: 'TRADE_OVERDUE' })
  })

  it('ends a refund that was under way when it stopped', async () => {
    const bought = await paidOrder()
    await startAgain({ refundsSettleAfterMs: 60_000 })
    await life.payments.requestRefund(refundOf(bought))
    await startAgain()
    await life.platform.moveClock(DAY_MS)
    expect(merchant.read.at(-1)).toMatchObject({ kind: 'refund', refund: { status: 'succeeded' } })
  })

  it('does what it planned when its time has come, also where the clock was moved meanwhile', async () => {
    const bought = await paidOrder()
    await startAgain({ refundsSettleAfterMs: DAY_MS + 200 })
    await life.payments.requestRefund(refundOf(bought))
    await life.platform.moveClock(DAY_MS)
    await vi.waitFor(() => expect(merchant.read.at(-1)).toMatchObject({ kind: 'refund' }))
  })

  it('does what it planned after a restart at a clock that was moved by weeks', async () => {
    const bought = await paidOrder()
    await startAgain({ refundsSettleAfterMs: 1_000 })
    await life.platform.setClock(29 * DAY_MS)
    await life.payments.requestRefund(refundOf(bought))
    await startAgain()
    expect(merchant.read.at(-1)).toMatchObject({ kind: 'payment' })
    await life.platform.setClock(29 * DAY_MS)
    await vi.waitFor(() => expect(merchant.read.at(-1)).toMatchObject({ kind: 'refund' }), 5_000)
  })

  it('repeats a notification that nobody took before it stopped, under the same number', async () => {
    await paidOrder()
    const [first] = merchant.read
    merchant.failNext(1)
    await paidOrder()
    expect(merchant.read).toHaveLength(1)
    await startAgain()
    await life.platform.moveClock(DAY_MS)
    expect(merchant.read.map(({ kind }) => kind)).toEqual(['payment', 'payment'])
    await startAgain()
    const [outTradeNo = ''] = [...life.platform.orders.keys()]
    await life.platform.resend(outTradeNo)
    expect(merchant.read.at(-1)?.id).toBe(first?.id)
  })

  it('delivers what it had not yet posted when it was killed', async () => {
    const order = anOrder()
    await life.payments.prepay(order)
    await life.end()
    const paid = { ...life.platform.orders.get(order.outTradeNo), state: 'SUCCESS' }
    const payment = {
      transactionId: '420000000000',
      paidAt: new Date(),
      payerOpenid: 'o',
      bankType: 'OTHERS',
    }
    const value = {
      task: {
        act: 'announce',
        announcement: { about: { payment: { ...paid, payments: [payment] } }, once: false },
        attempt: 1,
      },
      dueAt: new Date(),
    }
    appendFileSync(join(folder, 'platform.jsonl'), `${JSON.stringify({ kind: 'task', key: 'x', value })}\n`)
    life = await begin()
    await vi.waitFor(() => expect(merchant.read).toHaveLength(1))
    expect(merchant.read[0]).toMatchObject({ kind: 'payment', payment: { transactionId: '420000000000' } })
  })

  it('gives a bill of a day that is over as the same bytes for ever', async () => {
    const bought = await paidOrder()
    const { payments: [payment] = [] } = life.platform.orders.get(bought.outTradeNo) ?? {}
    const chinaDate = chinaTime(payment?.paidAt ?? new Date(0)).slice(0, 10)
    await life.payments.requestRefund(refundOf(bought))
    await life.platform.moveClock(2 * DAY_MS)
    const sha1 = async () => {
      const bill = await life.payments.tradeBill(chinaDate)
      if (bill.state !== 'ready') return bill.state
      for await (const _ of bill.rows());
      return bill.sha1
    }
    const before = await sha1()
    await life.platform.settleRefund(refundOf(bought).outRefundNo, 'ABNORMAL')
    expect(await sha1()).toBe(before)
    await startAgain()
    await life.platform.setClock(2 * DAY_MS)
    expect(await sha1()).toBe(before)
  })

  it('forgets nothing but the line that was being written when it was killed', async () => {
    await paidOrder()
    await life.end()
    const file = join(folder, 'platform.jsonl')
    const whole = readFileSync(file, 'utf8')
    appendFileSync(file, '{"kind":"order","key":"M01","val')
    life = await begin()
    expect(life.platform.orders.size).toBe(1)
    expect(readFileSync(file, 'utf8').length).toBeLessThan(whole.length)
    expect(readFileSync(file, 'utf8').endsWith('\n')).toBe(true)
  })
})
