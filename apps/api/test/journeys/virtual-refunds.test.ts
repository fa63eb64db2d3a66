import { MiniProgramError } from '@meridian/payments'
import { beforeAll, describe, expect, test } from 'vitest'
import { previewRefund } from '../../src/refunds/preview-refund.ts'
import { retryRefund } from '../../src/refunds/retry-refund.ts'
import { returnSecondPayment } from '../../src/refunds/return-second-payment.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import type { Handset } from '../world/phone.ts'
import { useRefundDesk } from '../world/refund-desk.ts'
import { askRefund } from '../world/send-refund.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { payTwice, virtualOf } from '../world/virtual-order.ts'
import { openVirtualShop } from '../world/virtual-shop.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
const desk = useRefundDesk(world)
let operatorId: string

beforeAll(async () => {
  await openVirtualShop(world)
  operatorId = desk.operatorId
})

async function bought(system: Handset = 'android') {
  const phone = await world.phone()
  return { phone, outTradeNo: await phone.buysAndPaysVirtually({ system }) }
}
const ask = (outTradeNo: string, amountFen = 2900) => askRefund(world, { outTradeNo, amountFen, operatorId })
const track = (outRefundNo: string, services = world.services) =>
  trackRefund(services, { outRefundNo, attempt: 0 })

type Standing = { status: string; failure: string | null; sendings: number; answers: number; left: number }
const standingOf = async (outRefundNo: string) =>
  (
    await world.query<Standing>(
      'SELECT status::text, failure, sendings, answers, sent_left_fen AS left FROM refunds WHERE out_refund_no = $1',
      [outRefundNo],
    )
  )[0]
const calls = (name: string, number: string) =>
  world.platform.requests.filter(
    ({ path, body }) => path.startsWith(`/xpay/${name}`) && body.includes(number),
  )
const alertsOf = (subject: string) =>
  world.query<{ kind: string; open: boolean }>(
    'SELECT kind, resolved_at IS NULL AS open FROM alerts WHERE subject = $1 ORDER BY id',
    [subject],
  )

/** The same services, whose virtual payment does this in place of what it does. */
const instead = (does: Partial<ReturnType<typeof virtualOf>>) => ({
  ...world.services,
  virtual: { ...virtualOf(world), ...does },
})

/** The same services, to which the platform answers so although it has begun the refund. */
const begunBut = (error: MiniProgramError) =>
  instead({
    requestRefund: async (refund) => {
      await virtualOf(world).requestRefund(refund)
      throw error
    },
  })

describe('a refund of a virtual payment', () => {
  test('names what is left, is begun, and succeeds by the push: order, days and timeline follow', async () => {
    const { phone, outTradeNo } = await bought()
    const { outRefundNo } = await ask(outTradeNo)
    await track(outRefundNo)
    expect(await standingOf(outRefundNo)).toMatchObject({
      status: 'processing',
      left: 2900,
      sendings: 1,
      answers: 1,
    })
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'paid', refunded_fen: 0 })
    expect(await world.platform.endVirtualRefund(outRefundNo)).toMatchObject([
      { status: 200, answer: 'success' },
    ])
    expect(await standingOf(outRefundNo)).toMatchObject({ status: 'succeeded' })
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded', refunded_fen: 2900 })
    expect((await phone.subscription()).remaining_days).toBe(0)
    expect(await world.platform.endVirtualRefund(outRefundNo)).toMatchObject([{ status: 200 }])
    expect((await verifyLedger(world.services.database.pool)).differences).toEqual([])
  })

  test('whose push is lost is found by its own number, and nothing is sent again', async () => {
    const { phone, outTradeNo } = await bought()
    const { outRefundNo } = await ask(outTradeNo, 1000)
    await track(outRefundNo)
    await track(outRefundNo)
    expect(await standingOf(outRefundNo)).toMatchObject({ status: 'processing' })
    await world.platform.endVirtualRefund(outRefundNo)
    await track(outRefundNo)
    expect(await standingOf(outRefundNo)).toMatchObject({ status: 'succeeded' })
    expect(calls('refund_order', outRefundNo)).toHaveLength(1)
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'paid', refunded_fen: 1000 })
  })

  test('that failed there gives its sum free, and somebody hears of it', async () => {
    const { outTradeNo } = await bought()
    const { outRefundNo } = await ask(outTradeNo)
    await track(outRefundNo)
    await world.platform.endVirtualRefund(outRefundNo, 'FAILED')
    await track(outRefundNo)
    expect(await standingOf(outRefundNo)).toMatchObject({ status: 'closed' })
    expect(await alertsOf(outRefundNo)).toEqual([{ kind: 'refund_closed', open: true }])
    const again = await ask(outTradeNo)
    await track(again.outRefundNo)
    expect(await standingOf(again.outRefundNo)).toMatchObject({ status: 'processing' })
  })

  test('whose answer was lost was begun once: it is asked about first', async () => {
    const { outTradeNo } = await bought()
    const { outRefundNo } = await ask(outTradeNo)
    const lost = begunBut(new MiniProgramError('timeout'))
    await expect(track(outRefundNo, lost)).rejects.toMatchObject({ reason: 'timeout' })
    expect(await standingOf(outRefundNo)).toMatchObject({ status: 'approved', sendings: 1, answers: 0 })
    await track(outRefundNo)
    expect(await standingOf(outRefundNo)).toMatchObject({ status: 'processing' })
    expect(calls('refund_order', outRefundNo)).toHaveLength(1)
  })

  test('that never arrived is repeated with the very parameters it had, until they are refused', async () => {
    const { outTradeNo } = await bought()
    const { outRefundNo } = await ask(outTradeNo, 900)
    const lost = instead({
      requestRefund: async () => {
        throw new MiniProgramError('unreachable')
      },
    })
    await expect(track(outRefundNo, lost)).rejects.toMatchObject({ reason: 'unreachable' })
    const other = await ask(outTradeNo, 1000)
    await track(other.outRefundNo)
    await track(outRefundNo)
    const sums = calls('refund_order', outRefundNo).map(({ body }) => /"left_fee":(\d+)/.exec(body)?.[1])
    expect(sums).toEqual(['2900', '1900'])
    expect(await standingOf(outRefundNo)).toMatchObject({
      status: 'processing',
      left: 1900,
      sendings: 3,
      answers: 2,
    })
  })

  test('that the platform is at already is tried again later, with nothing changed', async () => {
    const { outTradeNo } = await bought()
    const { outRefundNo } = await ask(outTradeNo)
    const sent: number[] = []
    const busy = instead({
      requestRefund: async ({ leftFen }) => {
        sent.push(leftFen)
        throw new MiniProgramError('not_yet', 268490014)
      },
    })
    await track(outRefundNo, busy)
    await track(outRefundNo, busy)
    expect(sent).toEqual([2900, 2900])
    expect(await standingOf(outRefundNo)).toMatchObject({
      status: 'approved',
      failure: null,
      sendings: 2,
      answers: 2,
    })
    expect(calls('query_order', outTradeNo)).toHaveLength(1)
  })

  test('that was accepted is waited for, though the platform cannot find it yet', async () => {
    const { outTradeNo } = await bought()
    const { outRefundNo } = await ask(outTradeNo)
    await track(outRefundNo)
    await track(
      outRefundNo,
      instead({ queryRefund: async () => ({ state: 'no_such_refund', requestId: null }) }),
    )
    expect(await standingOf(outRefundNo)).toMatchObject({ status: 'processing', failure: null, sendings: 1 })
  })

  test('of more than is left there is refused, shown and may be retried', async () => {
    const { outTradeNo } = await bought()
    await virtualOf(world).requestRefund({
      outRefundNo: `R${'0'.repeat(26)}`,
      attemptNo: outTradeNo,
      payerOpenid: world.platform.virtual.orders.get(outTradeNo)?.payerOpenid ?? '',
      amountFen: 100,
      leftFen: 2900,
      reason: 'other',
      requestedBy: 'other',
    })
    const { outRefundNo } = await ask(outTradeNo)
    await track(outRefundNo)
    expect(await standingOf(outRefundNo)).toMatchObject({ status: 'approved', failure: 'more_than_left' })
    expect(await alertsOf(outRefundNo)).toEqual([{ kind: 'refund_stuck', open: true }])
    expect(calls('refund_order', outRefundNo)).toEqual([])
    await world.platform.endVirtualRefund(`R${'0'.repeat(26)}`, 'FAILED')
    const from = { address: '', userAgent: '', requestId: 'retry' }
    await retryRefund(world.services, { outRefundNo, operatorId, from })
    expect(await standingOf(outRefundNo)).toMatchObject({ status: 'processing', failure: null })
    expect(await alertsOf(outRefundNo)).toEqual([{ kind: 'refund_stuck', open: false }])
  })

  test.each([
    { overtaken: 'queryOrder', amountFen: 2900 },
    { overtaken: 'requestRefund', amountFen: 900 },
  ] as const)(
    'that another process sends meanwhile is found there, and not sent again ($overtaken)',
    async ({ overtaken, amountFen }) => {
      const { outTradeNo } = await bought()
      const { outRefundNo } = await ask(outTradeNo, amountFen)
      const { queryOrder, requestRefund } = virtualOf(world)
      const late = {
        queryOrder: async (...asked: Parameters<typeof queryOrder>) => {
          if (calls('refund_order', outRefundNo).length === 0) await track(outRefundNo)
          return queryOrder(...asked)
        },
        requestRefund: async (asked: Parameters<typeof requestRefund>[0]) => {
          if (calls('refund_order', outRefundNo).length > 0) return requestRefund(asked)
          await track(outRefundNo)
          throw new MiniProgramError('left_changed')
        },
      }
      await track(outRefundNo, instead({ [overtaken]: late[overtaken] }))
      expect(await standingOf(outRefundNo)).toMatchObject({ status: 'processing', failure: null })
      expect(await alertsOf(outRefundNo)).toEqual([])
      expect(calls('refund_order', outRefundNo)).toHaveLength(1)
    },
  )

  test('that the platform is at already, sent by a process that died, is found by its number', async () => {
    const { outTradeNo } = await bought()
    const { outRefundNo } = await ask(outTradeNo)
    await track(outRefundNo, begunBut(new MiniProgramError('not_yet', 268490014)))
    expect(await standingOf(outRefundNo)).toMatchObject({ status: 'processing', failure: null })
  })

  test('of whom the account is erased cannot be asked for, since it takes the payer', async () => {
    const { outTradeNo } = await bought()
    await world.query(`UPDATE orders SET payer_openid = 'erased:1' WHERE out_trade_no = $1`, [outTradeNo])
    const { outRefundNo } = await ask(outTradeNo)
    await track(outRefundNo)
    expect(await standingOf(outRefundNo)).toMatchObject({ status: 'approved', failure: 'payer_erased' })
    expect(calls('query_order', outTradeNo)).toEqual([])
  })

  test('of a second payment names its own attempt, and leaves the order alone', async () => {
    const phone = await world.phone()
    const { outTradeNo, transactionId, paySecond } = await payTwice(world, phone)
    expect(await paySecond()).toMatchObject([{ status: 409 }])
    const asked = {
      outTradeNo,
      transactionId,
      amountFen: 2900,
      reason: 'duplicate',
      note: '',
      reservedFen: 0,
    } as const
    const from = { address: '', userAgent: '', requestId: 'second' }
    const { outRefundNo } = await returnSecondPayment(world.services.database.pool, asked, {
      operatorId,
      from,
    })
    await track(outRefundNo)
    expect(await world.platform.endVirtualRefund(outRefundNo)).toMatchObject([{ status: 200 }])
    expect(world.platform.virtual.orders.get(transactionId)).toMatchObject({ leftFen: 0 })
    expect(world.platform.virtual.orders.get(outTradeNo)).toMatchObject({ leftFen: 2900 })
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'paid', refunded_fen: 0 })
  })

  test('that the platform tells of another number or sum is held as a mismatch', async () => {
    const { outTradeNo } = await bought()
    const { outRefundNo } = await ask(outTradeNo, 1000)
    await track(outRefundNo)
    const refund = { Event: 'xpay_refund_notify', WxRefundId: 'wxr1', MchRefundId: outRefundNo, RetCode: 0 }
    const tell = async (said: object) => (await world.platform.pushEvent({ ...refund, ...said }))[0]?.status
    expect(await tell({ MchOrderId: outTradeNo, RefundFee: 999 })).toBe(409)
    expect(await tell({ MchOrderId: `M${'0'.repeat(26)}`, RefundFee: 1000 })).toBe(409)
    expect(await standingOf(outRefundNo)).toMatchObject({ status: 'processing' })
    expect(await alertsOf(outRefundNo)).toEqual([{ kind: 'refund_mismatch', open: true }])
  })
})

describe('what Apple took', () => {
  test('is Apple’s to give back: nobody can ask for it here', async () => {
    const { outTradeNo } = await bought('ios')
    const { pool } = world.services.database
    await expect(ask(outTradeNo, 100)).rejects.toMatchObject({ code: 'refund_by_apple' })
    expect(await previewRefund(pool, { outTradeNo, amountFen: 100, keepDays: false })).toMatchObject({
      obstacle: 'by_apple',
      refundableFen: 0,
    })
  })

  test('as a second payment neither', async () => {
    const { outTradeNo, transactionId, paySecond } = await payTwice(world, await world.phone(), 'ios')
    await paySecond()
    const asked = {
      outTradeNo,
      transactionId,
      amountFen: 100,
      reason: 'duplicate',
      note: '',
      reservedFen: 0,
    } as const
    const from = { address: '', userAgent: '', requestId: 'second' }
    await expect(
      returnSecondPayment(world.services.database.pool, asked, { operatorId, from }),
    ).rejects.toMatchObject({ code: 'refund_by_apple' })
  })

  test('is found out when it is asked for: the order says so from then on, and nothing was sent', async () => {
    const { outTradeNo } = await bought('ios')
    await world.query(`UPDATE orders SET trade_type = 'VIRTUAL' WHERE out_trade_no = $1`, [outTradeNo])
    const { outRefundNo } = await ask(outTradeNo)
    await track(outRefundNo)
    expect(await standingOf(outRefundNo)).toMatchObject({ status: 'approved', failure: 'refund_by_apple' })
    expect(calls('refund_order', outRefundNo)).toEqual([])
    const [order] = await world.query('SELECT trade_type FROM orders WHERE out_trade_no = $1', [outTradeNo])
    expect(order).toEqual({ trade_type: 'APPLE' })
    await track(outRefundNo)
    expect(calls('query_order', outTradeNo)).toHaveLength(1)
  })

  test('and was asked for here is given up by two persons; Apple’s own refund then fits', async () => {
    const { phone, outTradeNo } = await bought('ios')
    await world.query(`UPDATE orders SET trade_type = 'VIRTUAL' WHERE out_trade_no = $1`, [outTradeNo])
    const { outRefundNo } = await ask(outTradeNo)
    await track(outRefundNo)
    expect(await world.platform.refundByApple(outTradeNo)).toMatchObject([{ status: 409 }])
    const { waitingStop } = await desk.finance.refund.requestStop.mutate({ outRefundNo, reason: 'by Apple' })
    const stop = { outRefundNo, id: waitingStop?.id ?? '', approve: true }
    expect(await desk.second.refund.decideStop.mutate(stop)).toMatchObject({ state: 'stopped' })
    const [told] = world.platform.deliveries.slice(-1)
    if (told) expect(await world.platform.deliver(told)).toMatchObject({ status: 200 })
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded', refunded_fen: 2900 })
    expect((await phone.subscription()).remaining_days).toBe(0)
  })
})
