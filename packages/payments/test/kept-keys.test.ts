import { createPrivateKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { PaymentSettings } from '../src/index.ts'
import { keyRing, readPlatformKey } from '../src/key-ring/key-ring.ts'
import { openCertificates } from '../src/key-ring/refresh-keys.ts'
import { notificationRereader } from '../src/notification/read-notification.ts'
import { PaymentsError } from '../src/payments-error.ts'
import { createPlatform, generatePlatformKeys } from '../src/testing/index.ts'
import { type CertifiedKey, makeCertificate } from '../src/testing/platform-keys.ts'
import { signatureHeaders } from '../src/testing/sign-and-seal.ts'
import { read, sealed, signed } from './world/sealed-notification.ts'
import { problemsOf } from './world/settings-problems.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
// The dates of certificates are whole seconds (RFC 5280 §4.1.2.5).
const from = new Date('2026-01-01T00:00:00Z')
const to = new Date('2026-12-31T23:59:59Z')
const merchantSerialNo = 'AB'.repeat(20)

const certificateOf = (changes: { from?: Date; to?: Date; serial?: Buffer } = {}) =>
  makeCertificate({ subject: 'Tenpay.com', from, to, ...changes })
const heldBy = ({ serial, certificate }: CertifiedKey, source: 'settings' | 'download') =>
  readPlatformKey({ id: serial, pem: certificate, source })

/** Why it failed, as callers are told; null where it did not. */
function failureOf(work: () => unknown): PaymentsError | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof PaymentsError) return error
    throw error
  }
}

describe('a kept notification that a key of then signed', () => {
  const older = certificateOf()
  const reread = notificationRereader({ keyFor: () => undefined, apiV3Keys: [] })
  const reasonAt = (receivedAt: Date) => {
    const body = Buffer.from('not an envelope')
    const key = { serial: older.serial, privateKey: createPrivateKey(older.privateKey) }
    const headers = signatureHeaders({ body, key, now: receivedAt })
    const olderKeys = [{ id: older.serial, pem: older.certificate }]
    return failureOf(() => reread({ headers, body }, { receivedAt, olderKeys }))?.reason
  }

  it.each([
    ['before the certificate began', new Date(from.getTime() - SECOND), 'unknown_serial'],
    ['at the moment it began', from, 'malformed_envelope'],
    ['in its last second', to, 'malformed_envelope'],
    ['after it ended', new Date(to.getTime() + SECOND), 'unknown_serial'],
  ])('%s is read accordingly', (_, receivedAt, reason) => {
    expect(reasonAt(receivedAt)).toBe(reason)
  })

  it('is read by a public key, which has neither beginning nor end', () => {
    const { publicKey } = generatePlatformKeys()
    const body = Buffer.from('not an envelope')
    const key = { serial: publicKey.id, privateKey: createPrivateKey(publicKey.privateKey) }
    const headers = signatureHeaders({ body, key, now: from })
    const olderKeys = [{ id: publicKey.id, pem: publicKey.publicKey }]
    expect(failureOf(() => reread({ headers, body }, { receivedAt: from, olderKeys }))?.reason).toBe(
      'malformed_envelope',
    )
  })
})

describe('a notification that is signed but cannot be read', () => {
  it('says what is wrong, and who signed it', () => {
    const failure = failureOf(() => read(sealed('not JSON')))
    expect(failure).toMatchObject({
      reason: 'malformed_payload',
      about: 'not JSON',
      signed: { id: 'EV-1', eventType: 'SOMETHING.ELSE', serial: expect.stringMatching(/^PUB_KEY_ID_/) },
    })
  })
  it('names no event where the envelope names none', () => {
    const failure = failureOf(() => read(signed(Buffer.from('{}'))))
    expect(failure).toMatchObject({ reason: 'malformed_envelope', signed: { id: null, eventType: null } })
  })
})

describe('the ring of keys', () => {
  it('keeps what the settings gave where the same serial is downloaded, and takes every other download', () => {
    const [configured, other] = [certificateOf(), certificateOf()]
    const ring = keyRing([heldBy(configured, 'settings')], { merchantSerialNo, now: () => from })
    ring.add([heldBy(configured, 'download'), heldBy(other, 'download')])
    expect(ring.held().map(({ id, source }) => [id, source])).toEqual([
      [configured.serial, 'settings'],
      [other.serial, 'download'],
    ])
  })

  it('takes a later download of the same serial for the earlier one', () => {
    const one = certificateOf()
    const ring = keyRing([heldBy(one, 'download')], { merchantSerialNo, now: () => from })
    ring.add([{ ...heldBy(one, 'download'), pem: 'the same, told again' }])
    expect(ring.held().map(({ pem }) => pem)).toEqual(['the same, told again'])
  })

  it('prefers the certificate that is valid longest', () => {
    const [shorter, longer] = [certificateOf({ to: new Date(to.getTime() - HOUR) }), certificateOf()]
    for (const order of [
      [shorter, longer],
      [longer, shorter],
    ]) {
      const keys = order.map((one) => heldBy(one, 'settings'))
      expect(keyRing(keys, { merchantSerialNo, now: () => from }).preferred()?.id).toBe(longer.serial)
    }
  })

  it('never holds the merchant’s own certificate', () => {
    const own = certificateOf()
    const ring = keyRing([], { merchantSerialNo: own.serial, now: () => from })
    expect(() => ring.add([heldBy(own, 'download')])).toThrow('the merchant certificate')
  })
})

describe('downloaded certificates', () => {
  it.each([
    ['nothing', undefined],
    ['no list', {}],
    ['an empty list', { data: [] }],
    ['a certificate without its text', { data: [{ serial_no: '1' }] }],
  ])('in an answer that holds %s are none', (_, answer) => {
    expect(openCertificates(answer, [])).toBeNull()
  })
})

describe('settings with keys', () => {
  const platform = createPlatform({ keyMode: 'mixed' })
  const good: PaymentSettings = platform.settings('http://127.0.0.1:1')
  const certificate = certificateOf({ serial: Buffer.from('12'.repeat(20), 'hex') })
  const messagesFor = (id: string) =>
    problemsOf({ ...good, platformKeys: [{ id, pem: certificate.certificate }] }).map(
      ({ message }) => message,
    )

  it.each([
    `xyz${certificate.serial}`,
    `${certificate.serial}xyz`,
    `${certificate.serial}0`,
    'PUB_KEY_ID_',
    '',
  ])('take no part of an id for the id: “%s”', (id) => {
    expect(messagesFor(id)).toEqual([
      'an id must be a hexadecimal certificate serial number or a whole PUB_KEY_ID_…',
    ])
  })
  it('name the merchant certificate among the platform keys by its serial number, zeros aside', () => {
    const message = 'holds the serial number of the merchant certificate'
    expect(messagesFor(good.merchantSerialNo)).toEqual([message])
    expect(messagesFor(good.merchantSerialNo.toLowerCase())).toEqual([message])
  })
  it('start with a certificate whose serial number is given in small letters', () => {
    expect(messagesFor(certificate.serial.toLowerCase())).toEqual([])
  })
})
