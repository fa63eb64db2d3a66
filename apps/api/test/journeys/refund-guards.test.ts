import { describe, expect, test } from 'vitest'
import { beginSending } from '../../src/refunds/count-sendings.ts'
import { requestLateRefund } from '../../src/refunds/request-late-refund.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { problemOf } from '../world/console.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import { payLate } from '../world/parked-payments.ts'
import { useRefundDesk } from '../world/refund-desk.ts'
import { sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
const desk = useRefundDesk(world)

const track = (outRefundNo: string) => trackRefund(world.services, { outRefundNo, attempt: 0 })
const show = (outRefundNo: string) => desk.second.refund.detail.query({ outRefundNo })

async function paidOrder(plan = 'monthly') {
  const phone = await world.phone()
  return { phone, outTradeNo: await phone.buysAndPays(plan) }
}

const rowOf = async (outRefundNo: string) =>
  (
    await world.query(
      'SELECT status::text, sendings, answers, failure, keep_days FROM refunds WHERE out_refund_no = $1',
      [outRefundNo],
    )
  )[0]

/** What the platform was asked since then about refunds, as methods. */
const askedSince = (count: number) =>
  world.platform.requests
    .slice(count)
    .filter(({ path }) => path.includes('/refund/'))
    .map(({ method }) => method)

const requestOf = (outTradeNo: string, amountFen: number, reservedFen = 0) => ({
  ...{ outTradeNo, amountFen, reservedFen, keepDays: false },
  ...({ reason: 'user_request', note: '' } as const),
})

describe('a request for a refund', () => {
  test('that is too much is refused for that, whoever asks', async () => {
    const { outTradeNo } = await paidOrder()
    expect(await problemOf(desk.newcomer.refund.request.mutate(requestOf(outTradeNo, 2901)))).toBe(
      'refund_not_possible',
    )
  })

  test('is refused where somebody refunded more of the order meanwhile', async () => {
    const { outTradeNo } = await paidOrder()
    const ask = (reservedFen: number) =>
      desk.finance.refund.request.mutate(requestOf(outTradeNo, 100, reservedFen))
    await ask(0)
    expect(await problemOf(ask(0))).toBe('refund_not_possible')
    await ask(100)
    expect(await problemOf(ask(100))).toBe('refund_not_possible')
  })

  test('that one person may make is made by a newcomer too', async () => {
    const { outTradeNo } = await paidOrder()
    const { outRefundNo } = await desk.newcomer.refund.request.mutate(requestOf(outTradeNo, 2900))
    expect(await rowOf(outRefundNo)).toMatchObject({ status: 'approved' })
  })

  test('shows the one day that it takes, and when the subscription would end', async () => {
    const { outTradeNo } = await paidOrder()
    const previewOf = (amountFen: number) =>
      desk.finance.refund.preview.query({ outTradeNo, amountFen, keepDays: false })
    const [none, one] = [await previewOf(96), await previewOf(97)]
    expect([none.daysTaken, one.daysTaken]).toEqual([0, 1])
    const [before, after] = [one.expiresBefore, one.expiresAfter].map((time) => new Date(time ?? 0).getTime())
    expect((before ?? 0) - (after ?? 0)).toBe(86_400_000)
    expect(none.expiresAfter).toEqual(none.expiresBefore)
    expect([none.remainingAfter, one.remainingAfter]).toEqual([30, 29])
  })

  test('is asked about each minute five times, then less and less often', async () => {
    const { outTradeNo } = await paidOrder()
    const { outRefundNo } = await desk.finance.refund.request.mutate(requestOf(outTradeNo, 100))
    const gaps: number[] = []
    for (let turn = 0; turn < 7; turn += 1) {
      await doDueJobs(world)
      const [next] = await world.query<{ minutes: number }>(
        `SELECT round(extract(epoch FROM run_at - now()) / 60)::int AS minutes FROM graphile_worker.jobs
         WHERE key = $1`,
        [`refund:${outRefundNo}`],
      )
      gaps.push(next?.minutes ?? 0)
      await world.passTime({ minutes: next?.minutes ?? 0, seconds: 30 })
    }
    expect(gaps).toEqual([1, 1, 1, 1, 1, 2, 4])
  })
})

describe('a refund on its way', () => {
  test('is sent once and asked about from then on', async () => {
    const before = world.platform.requests.length
    const { outRefundNo } = await sendRefund(world, {
      phone: await world.phone(),
      operatorId: desk.operatorId,
    })
    expect(await rowOf(outRefundNo)).toMatchObject({ status: 'processing', sendings: 1, answers: 1 })
    await track(outRefundNo)
    expect(askedSince(before)).toEqual(['POST', 'GET'])
    expect(await rowOf(outRefundNo)).toMatchObject({ sendings: 1, answers: 1 })
  })

  test('that was refused in between is no longer so once the platform knows it', async () => {
    const { outRefundNo } = await sendRefund(world, {
      phone: await world.phone(),
      operatorId: desk.operatorId,
    })
    const { services } = world
    if (!services.payments) throw new Error('this world pays')
    const queryRefund = async () => ({ state: 'no_such_refund', requestId: null }) as const
    const unknowing = { ...services, payments: { ...services.payments, queryRefund } }
    world.platform.faults.set([{ kind: 'error_before', at: 'refund', status: 404 }])
    await trackRefund(unknowing, { outRefundNo, attempt: 0 })
    expect(await show(outRefundNo)).toMatchObject({ state: 'refused' })
    world.platform.faults.clear()
    await track(outRefundNo)
    expect(await rowOf(outRefundNo)).toMatchObject({
      status: 'processing',
      failure: null,
      sendings: 2,
      answers: 2,
    })
    expect(await show(outRefundNo)).toMatchObject({ state: 'processing' })
  })

  test('is not sent any more once it has ended', async () => {
    const { outRefundNo } = await sendRefund(world, {
      phone: await world.phone(),
      operatorId: desk.operatorId,
    })
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(204)
    expect(await beginSending(world.services.database.pool, outRefundNo)).toBeNull()
    expect(await rowOf(outRefundNo)).toMatchObject({ status: 'succeeded', sendings: 1 })
  })

  test('is asked about at once where an operator wants to know', async () => {
    const { outRefundNo } = await sendRefund(world, {
      phone: await world.phone(),
      operatorId: desk.operatorId,
    })
    const theirs = world.platform.refunds.get(outRefundNo)
    Object.assign(theirs ?? {}, { status: 'SUCCESS', succeededAt: world.services.runtime.now() })
    await desk.finance.refund.retry.mutate({ outRefundNo })
    expect(await show(outRefundNo)).toMatchObject({ state: 'succeeded' })
    expect(await problemOf(desk.finance.refund.retry.mutate({ outRefundNo }))).toBe('changed_meanwhile')
  })
})

describe('an abnormal refund', () => {
  async function abnormal() {
    const { outRefundNo } = await sendRefund(world, {
      phone: await world.phone(),
      operatorId: desk.operatorId,
    })
    expect(await sayRefundEnd(world, outRefundNo, { end: 'ABNORMAL' })).toBe(204)
    return outRefundNo
  }

  test('is asked about once more where an operator wants to know', async () => {
    const outRefundNo = await abnormal()
    const theirs = world.platform.refunds.get(outRefundNo)
    Object.assign(theirs ?? {}, { status: 'SUCCESS', succeededAt: world.services.runtime.now() })
    await desk.finance.refund.retry.mutate({ outRefundNo })
    expect(await show(outRefundNo)).toMatchObject({ state: 'succeeded' })
  })

  test('is sent elsewhere, and the audit log says where to', async () => {
    const outRefundNo = await abnormal()
    await desk.finance.refund.redirect.mutate({ outRefundNo, to: 'merchant_bank_card' })
    const [entry] = await world.query(
      'SELECT action, after FROM audit_entries WHERE subject_id = $1 ORDER BY id DESC',
      [outRefundNo],
    )
    expect(entry).toEqual({ action: 'refund.redirect', after: { to: 'merchant_bank_card' } })
  })
})

describe('a late payment that one person may not give back', () => {
  const refundsOf = (outTradeNo: string) =>
    world.query<{ no: string; keep_days: boolean }>(
      `SELECT r.out_refund_no AS no, r.keep_days FROM refunds r JOIN orders o ON o.id = r.order_id
       WHERE o.out_trade_no = $1`,
      [outTradeNo],
    )
  const isParked = async (outTradeNo: string) =>
    (await world.query('SELECT parked FROM orders WHERE out_trade_no = $1', [outTradeNo]))[0]

  test('is asked for and approved alone: another one that waits beside it stays as it is', async () => {
    const { outTradeNo: one } = await payLate(world, { planCode: 'yearly' })
    const { outTradeNo: other } = await payLate(world, { planCode: 'yearly' })
    await doDueJobs(world)
    const from = { address: '', userAgent: '', requestId: 'test' }
    const { pool } = world.services.database
    for (const outTradeNo of [one, other])
      expect(
        await requestLateRefund(pool, { outTradeNo, note: 'late', operatorId: desk.operatorId, from }),
      ).toBe(true)
    const [refund, ...more] = await refundsOf(one)
    expect([refund?.keep_days, more]).toEqual([false, []])
    expect(await refundsOf(other)).toHaveLength(1)
    await desk.second.refund.decide.mutate({ outRefundNo: refund?.no ?? '', approve: true })
    expect([await isParked(one), await isParked(other)]).toEqual([{ parked: false }, { parked: true }])
    const [alert] = await world.query(
      `SELECT o.email, a.resolution FROM alerts a JOIN operators o ON o.id = a.resolved_by
       WHERE a.kind = 'order_parked' AND a.subject = $1`,
      [one],
    )
    expect(alert).toEqual({ email: desk.emails[1], resolution: 'refund: approved' })
  })

  test('is asked for once, and never for an order that does not wait', async () => {
    const { outTradeNo } = await payLate(world, { planCode: 'yearly' })
    const { outTradeNo: other } = await payLate(world, { planCode: 'yearly' })
    const asked = {
      note: 'late',
      operatorId: desk.operatorId,
      from: { address: '', userAgent: '', requestId: 'test' },
    }
    const { pool } = world.services.database
    expect(await requestLateRefund(pool, { outTradeNo, ...asked })).toBe(true)
    expect(await requestLateRefund(pool, { outTradeNo, ...asked })).toBe(false)
    expect(
      await requestLateRefund(pool, { outTradeNo: (await paidOrder('yearly')).outTradeNo, ...asked }),
    ).toBe(false)
    expect(await refundsOf(other)).toEqual([])
  })
})
