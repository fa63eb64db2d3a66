import { createPrivateKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeCertificate } from '../src/testing/platform-keys.ts'
import { sealResource } from '../src/testing/sign-and-seal.ts'
import { clientOf, failed, keysOfPlatform } from './world/hand-written.ts'

const notPaid = { out_trade_no: 'M01', trade_state: 'NOTPAY' }

describe('an answer', () => {
  it.each([200, 201, 299])('under %i is one', async (status) => {
    expect(await clientOf([{ status, content: notPaid }]).payments.queryOrder('M01')).toMatchObject({
      state: 'not_paid',
    })
  })
  it('under 300 is a refusal, and under 202 it is not finished: ask again', async () => {
    expect(
      await failed(clientOf([{ status: 300, content: notPaid }]).payments.queryOrder('M01')),
    ).toMatchObject({
      ...{ reason: 'refused', status: 300, advice: 'give_up' },
    })
    const accepted = { status: 202, content: notPaid, headers: { 'request-id': '08' } }
    expect(await failed(clientOf([accepted]).payments.queryOrder('M01'))).toMatchObject({
      ...{ reason: 'refused', status: 202, advice: 'ask_again', about: 'not finished', requestId: '08' },
    })
  })

  it.each([
    ['299 s early', -299, null],
    ['299 s late', 299, null],
    ['302 s early', -302, 'stale'],
    ['302 s late', 302, 'stale'],
  ])('that was signed %s is taken as fresh or not', async (_, clockSkewSeconds, about) => {
    const work = clientOf([{ content: notPaid, faults: { clockSkewSeconds } }]).payments.queryOrder('M01')
    if (about === null) expect(await work).toMatchObject({ state: 'not_paid' })
    else expect(await failed(work)).toMatchObject({ reason: 'unverified_answer', about, advice: 'ask_again' })
  })

  it.each([
    ['without a time', { 'Wechatpay-Timestamp': '' }, 'headers_missing'],
    ['without a nonce', { 'Wechatpay-Nonce': '' }, 'headers_missing'],
    ['without a signature', { 'Wechatpay-Signature': '' }, 'headers_missing'],
    ['without a serial number', { 'Wechatpay-Serial': '' }, 'headers_missing'],
    ['with a time that is none', { 'Wechatpay-Timestamp': '1e9' }, 'headers_missing'],
    ['with a time of 13 digits', { 'Wechatpay-Timestamp': '1767225600000' }, 'headers_missing'],
    [
      'with a signature of another kind',
      { 'Wechatpay-Signature-Type': 'WECHATPAY2-SM2-WITH-SM3' },
      'bad_signature',
    ],
    ['with another signature', { 'Wechatpay-Signature': 'AAAA' }, 'bad_signature'],
    ['with a signature that is no base64', { 'Wechatpay-Signature': '!' }, 'bad_signature'],
  ])('%s is not verified', async (_, headers, about) => {
    const { payments, asked } = clientOf([{ content: notPaid, headers: { ...headers, 'request-id': '08' } }])
    expect(await failed(payments.queryOrder('M01'))).toMatchObject({
      ...{ reason: 'unverified_answer', advice: 'ask_again', about, status: 200, requestId: '08' },
    })
    expect(asked).toHaveLength(1)
  })

  it('says how far the clock of the platform is from ours', async () => {
    const now = () => new Date('2026-01-01T12:00:00Z')
    const skewOf = async (date: string) => {
      const { payments } = clientOf([{ content: notPaid, headers: { date } }], { now })
      await payments.queryOrder('M01')
      return payments.clockSkewMs()
    }
    expect(await skewOf('Thu, 01 Jan 2026 12:00:07 GMT')).toBe(7000)
    expect(await skewOf('Thu, 01 Jan 2026 11:59:59 GMT')).toBe(-1000)
    expect(await skewOf('some day')).toBeNull()
    const { payments } = clientOf([{ content: notPaid }], { now })
    await payments.queryOrder('M01')
    expect(payments.clockSkewMs()).toBeNull()
  })
})

describe('an answer under a serial number that nobody knows', () => {
  const MINUTE = 60_000
  const day = 86_400_000
  const start = new Date('2026-06-01T00:00:00Z').getTime()
  const certified = makeCertificate({
    subject: 'Tenpay.com',
    from: new Date(start - day),
    to: new Date(start + 365 * day),
  })
  const key = { serial: certified.serial, privateKey: createPrivateKey(certified.privateKey) }
  const sealed = sealResource(certified.certificate, {
    apiV3Key: keysOfPlatform.apiV3Key,
    associatedData: 'certificate',
  })
  const list = { key, content: { data: [{ serial_no: certified.serial, encrypt_certificate: sealed }] } }
  const strange = { content: notPaid, faults: { serial: 'AB'.repeat(20) } }
  const urlsOf = (asked: readonly { url: string }[]) =>
    asked.map(({ url }) => url.split('?')[0]?.split('/').at(-1))

  it('asks for certificates once, and is verified by what comes', async () => {
    const { payments, asked } = clientOf([{ content: notPaid, key }, list, { content: notPaid, key }], {
      settings: { downloadKeys: true },
      now: () => new Date(start),
    })
    expect(await payments.queryOrder('M01')).toMatchObject({ state: 'not_paid' })
    expect(urlsOf(asked)).toEqual(['M01', 'certificates'])
    expect(payments.keyReport()).toMatchObject({ downloadKeys: true, refreshedAt: new Date(start) })
  })

  it('asks again a minute later, and not a millisecond sooner', async () => {
    let now = start
    const wishes = { settings: { downloadKeys: true }, now: () => new Date(now) }
    const { payments, asked } = clientOf([strange, list, strange, strange, list, strange], wishes)
    const askAt = async (at: number) => {
      now = at
      await failed(payments.queryOrder('M01'))
    }
    await askAt(start)
    await askAt(start + MINUTE - 1)
    await askAt(start + MINUTE)
    expect(urlsOf(asked)).toEqual(['M01', 'certificates', 'M01', 'M01', 'certificates'])
  })

  it('asks for none where they are not downloaded', async () => {
    const { payments, asked } = clientOf([strange])
    expect(await failed(payments.queryOrder('M01'))).toMatchObject({
      ...{ reason: 'unverified_answer', about: 'unknown_serial' },
    })
    expect(asked).toHaveLength(1)
    expect(await payments.refreshKeys()).toMatchObject({ downloadKeys: false, refreshedAt: null })
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['of a known key that does not hold', { content: notPaid, headers: { 'Wechatpay-Signature': 'AAAA' } }],
    ['that is stale', { content: notPaid, faults: { clockSkewSeconds: 400 } }],
    ['without headers', { content: notPaid, headers: { 'Wechatpay-Nonce': '' } }],
  ])('is no other answer that is not verified: one %s asks for nothing', async (_, one) => {
    const { payments, asked } = clientOf([one], { settings: { downloadKeys: true } })
    await failed(payments.queryOrder('M01'))
    expect(urlsOf(asked)).toEqual(['M01'])
  })

  it('is refused as it was where no certificates come', async () => {
    const { payments, asked } = clientOf(
      [strange, { status: 404, content: { code: 'RESOURCE_NOT_EXISTS' } }],
      {
        settings: { downloadKeys: true },
      },
    )
    expect(await failed(payments.queryOrder('M01'))).toMatchObject({
      ...{ reason: 'unverified_answer', about: 'unknown_serial' },
    })
    expect(urlsOf(asked)).toEqual(['M01', 'certificates'])
  })

  it('takes no certificates that have ended, nor ones that another key signed', async () => {
    const wishes = (now: Date) => ({ settings: { platformKeys: [], downloadKeys: true }, now: () => now })
    const ended = clientOf([list], wishes(new Date(start + 366 * day))).payments
    expect(await failed(ended.refreshKeys())).toMatchObject({ reason: 'unverified_answer' })
    const forged = {
      ...list,
      key: { ...key, privateKey: createPrivateKey(keysOfPlatform.merchant.privateKey) },
    }
    const other = clientOf([forged], wishes(new Date(start))).payments
    expect(await failed(other.refreshKeys())).toMatchObject({
      reason: 'unverified_answer',
      about: 'bad_signature',
    })
    expect([ended, other].map((payments) => payments.keyReport().keys)).toEqual([[], []])
    const good = clientOf([list], wishes(new Date(start))).payments
    expect(await good.refreshKeys()).toMatchObject({ keys: [{ id: certified.serial, source: 'download' }] })
  })
})
