import { createPrivateKey } from 'node:crypto'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  confirmPayment,
  ConfirmedPayment as PaymentClass,
  type PaymentFacts,
} from '../src/confirmed-payment.ts'
import { ConfirmedRefund as RefundClass } from '../src/confirmed-refund.ts'
import * as surface from '../src/index.ts'
import { type ConfirmedPayment, createPayments, type PaymentSettings, systemRuntime } from '../src/index.ts'
import { createPlatform } from '../src/testing/index.ts'
import { signatureHeaders } from '../src/testing/sign-and-seal.ts'
import { anOrder } from './world/world.ts'

const { keys, settings } = createPlatform()
const local = settings('http://127.0.0.1:1')
const official: PaymentSettings = { ...local, baseUrl: 'https://api.mch.weixin.qq.com' }
const key = { serial: keys.publicKey.id, privateKey: createPrivateKey(keys.publicKey.privateKey) }

type Seen = { url: string; headers: Headers; init: RequestInit | undefined }
type Answering = (seen: Seen, attempt: number) => Response | Promise<Response>

/** A client whose network is a function, and what went over it. */
function clientOver(answering: Answering, base: PaymentSettings = official) {
  const seen: Seen[] = []
  const runtime: typeof fetch = async (input, init) => {
    const one = { url: String(input), headers: new Headers(init?.headers), init }
    seen.push(one)
    return answering(one, seen.length)
  }
  return { seen, payments: createPayments(base, { ...systemRuntime, fetch: runtime }) }
}

function signedAnswer(content: unknown, status = 200): Response {
  const body = Buffer.from(JSON.stringify(content), 'utf8')
  const headers = signatureHeaders({ body, key, now: new Date() })
  return new Response(body, { status, headers: { ...headers, 'request-id': '08F7-0' } })
}

const notPaid = (outTradeNo: string) => signedAnswer({ out_trade_no: outTradeNo, trade_state: 'NOTPAY' })
const gone = () => {
  throw new TypeError('fetch failed', {
    cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  })
}
const hosts = (seen: readonly Seen[]) => seen.map(({ url }) => new URL(url).host)

describe('the pipe', () => {
  it('goes to the backup host when the official one cannot be reached, with the same signed target', async () => {
    const { payments, seen } = clientOver((_, attempt) => (attempt === 1 ? gone() : notPaid('M01PIPE01')))
    expect(await payments.queryOrder('M01PIPE01')).toMatchObject({ state: 'not_paid', requestId: '08F7-0' })
    expect(hosts(seen)).toEqual(['api.mch.weixin.qq.com', 'api2.mch.weixin.qq.com'])
    expect(new URL(seen[0]?.url ?? '').pathname).toBe(new URL(seen[1]?.url ?? '').pathname)
  })

  it('goes to the backup host when the official one takes the connection and never says a word', async () => {
    const silence = ({ init }: Seen) =>
      new Promise<Response>((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      )
    const { payments, seen } = clientOver((one, attempt) =>
      attempt === 1 ? silence(one) : notPaid('M01PIPE06'),
    )
    expect(await payments.queryOrder('M01PIPE06')).toMatchObject({ state: 'not_paid' })
    expect(hosts(seen)).toEqual(['api.mch.weixin.qq.com', 'api2.mch.weixin.qq.com'])
  })

  it('stays with a host whose answer broke off: it was reached', async () => {
    const breaking = () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new Uint8Array(3))
            controller.error(new Error('reset'))
          },
        }),
      )
    const { payments, seen } = clientOver((_, attempt) => (attempt === 1 ? breaking() : notPaid('M01PIPE07')))
    expect(await payments.queryOrder('M01PIPE07')).toMatchObject({ state: 'not_paid' })
    expect(hosts(seen)).toEqual(['api.mch.weixin.qq.com', 'api.mch.weixin.qq.com'])
  })

  it('stays with a host that is not the official one', async () => {
    const { payments, seen } = clientOver(gone, local)
    await expect(payments.queryOrder('M01PIPE02')).rejects.toMatchObject({
      reason: 'unreachable',
      advice: 'retry',
    })
    expect(hosts(seen)).toEqual(['127.0.0.1:1', '127.0.0.1:1'])
  })

  it('stays with the host that answers, even if it answers 500, and signs the repeat anew', async () => {
    const { payments, seen } = clientOver(() => new Response('{"code":"SYSTEM_ERROR"}', { status: 500 }))
    await expect(payments.queryOrder('M01PIPE03')).rejects.toMatchObject({
      status: 500,
      code: 'SYSTEM_ERROR',
    })
    expect(hosts(seen)).toEqual(['api.mch.weixin.qq.com', 'api.mch.weixin.qq.com'])
    expect(seen[0]?.headers.get('authorization')).not.toBe(seen[1]?.headers.get('authorization'))
  })

  it.each([
    [400, 'PARAM_ERROR', 'fix'],
    [401, 'SIGN_ERROR', 'fix'],
    [403, 'NO_AUTH', 'fix'],
    [403, 'RULE_LIMIT', 'give_up'],
    [404, 'MCH_NOT_EXISTS', 'give_up'],
    [429, 'FREQUENCY_LIMITED', 'retry'],
    [500, 'OPENID_MISMATCH', 'fix'],
    [403, 'OUT_TRADE_NO_USED', 'ask_again'],
    [302, null, 'give_up'],
  ])('does not repeat %i %s: %s', async (status, code, advice) => {
    const headers = status === 302 ? { location: 'https://elsewhere.example.com' } : {}
    const { payments, seen } = clientOver(() => new Response(JSON.stringify({ code }), { status, headers }))
    await expect(payments.prepay(anOrder())).rejects.toMatchObject({
      reason: 'refused',
      status,
      code,
      advice,
    })
    expect(seen).toHaveLength(1)
    expect(seen[0]?.init?.redirect).toBe('manual')
  })

  it('takes nothing of a refusal but its status and a code of the expected form', async () => {
    const body = JSON.stringify({ code: 'x"}\nADMIN logged in', message: 'SECRET-TEXT' })
    const { payments } = clientOver(
      () => new Response(body, { status: 400, headers: { 'request-id': 'a b<c>' } }),
    )
    const error: unknown = await payments.prepay(anOrder()).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: null, requestId: null })
    expect(String(error)).not.toMatch(/SECRET|ADMIN/)
  })

  it('does not read an answer without end', async () => {
    const endless = () =>
      new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }))
    const { payments } = clientOver(endless)
    await expect(payments.queryOrder('M01PIPE04')).rejects.toMatchObject({ reason: 'malformed_answer' })
  })

  it.each([
    ['about another order', { out_trade_no: 'M01OTHER', trade_state: 'SUCCESS' }],
    ['paid without a transaction', { out_trade_no: 'M01PIPE05', trade_state: 'SUCCESS' }],
    ['without a state', { out_trade_no: 'M01PIPE05' }],
    ['that is a list', []],
  ])('believes no signed answer %s', async (_, content) => {
    const { payments } = clientOver(() => signedAnswer(content))
    await expect(payments.queryOrder('M01PIPE05')).rejects.toMatchObject({ reason: 'malformed_answer' })
  })

  it('sends no order that the platform would refuse', async () => {
    const { payments, seen } = clientOver(gone)
    const wrong = [
      { outTradeNo: 'short' },
      { outTradeNo: 'M01|BAR*STAR' },
      { description: '' },
      { description: 'x'.repeat(128) },
      { description: 'lone \ud800 surrogate' },
      { payerOpenid: '' },
      { amountFen: 1.5 },
      { expiresAt: new Date(Number.NaN) },
    ]
    for (const change of wrong) {
      await expect(payments.prepay(anOrder(change))).rejects.toMatchObject({ reason: 'invalid_request' })
    }
    expect(seen).toHaveLength(0)
  })

  it('sends the same bytes for the same order', async () => {
    const { payments, seen } = clientOver(() => signedAnswer({ prepay_id: 'wx1' }))
    const order = anOrder()
    await payments.prepay(order)
    await payments.prepay({ ...order })
    const sent = seen.map(({ init }) => String(init?.body))
    expect(sent[0]).toBe(sent[1])
  })

  it('fetches no bill from a stranger', async () => {
    const link = {
      hash_type: 'SHA1',
      hash_value: '0'.repeat(40),
      download_url: 'https://evil.example.com/bill',
    }
    const { payments, seen } = clientOver(() => signedAnswer(link))
    await expect(payments.tradeBill('2026-01-01')).rejects.toMatchObject({ reason: 'malformed_answer' })
    expect(seen).toHaveLength(1)
  })
})

describe('a confirmed payment', () => {
  it('can be made by this package only', () => {
    expect(Object.keys(surface)).not.toContain('ConfirmedPayment')
    expect(Object.keys(surface)).not.toContain('confirmPayment')
    expectTypeOf<PaymentFacts>().not.toExtend<ConfirmedPayment>()
    const real = confirmPayment({
      channel: 'jsapi',
      source: 'query',
      outTradeNo: 'M',
      transactionId: '4',
      amountFen: 1,
      currency: 'CNY',
      appId: 'wx',
      mchId: '1',
      payerOpenid: null,
      tradeType: 'JSAPI',
      bankType: null,
      paidAt: new Date(),
    })
    expect(PaymentClass.isOne(real)).toBe(true)
    expect(PaymentClass.isOne({ ...real })).toBe(false)
    expect(PaymentClass.isOne(structuredClone(real))).toBe(false)
    expect(RefundClass.isOne(real)).toBe(false)
  })
})
