import fc from 'fast-check'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { secondsToNextTry } from '../../src/events/retry-schedule.ts'
import { newWebhookSecret, webhookHeaders } from '../../src/events/sign-webhook.ts'
import { storable } from '../../src/events/try-delivery.ts'
import { addressProblem, type Reach } from '../../src/platform/network/reachable.ts'

const [minute, hour] = [60, 3600]
const gaps = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

describe('the gaps between tries', () => {
  test.each(gaps.map((gap, at) => [at + 1, gap] as const))('after %i tries it is %i s', (attempts, gap) => {
    expect(secondsToNextTry(attempts, 0.5)).toBeCloseTo(gap)
    expect(secondsToNextTry(attempts, 0)).toBeCloseTo(gap * 0.9)
    expect(secondsToNextTry(attempts, 1)).toBeCloseTo(gap * 1.1)
  })

  test('the first try is made at once, and there is none after the tenth', () => {
    expect(secondsToNextTry(0, 0.7)).toBe(0)
    expect(secondsToNextTry(10, 0.5)).toBeNull()
  })
})

describe('a signature', () => {
  const signed = (secrets: readonly string[], body: string, at = new Date()) =>
    webhookHeaders({ id: 'evt_1', at, body, secrets })
  const verify = (secret: string, body: string, headers: Record<string, string>) =>
    new Webhook(secret).verify(body, headers)

  test('verifies by the library of Standard Webhooks, whatever stands in the body', () => {
    const secret = newWebhookSecret()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const body = JSON.stringify({ text })
        expect(verify(secret, body, signed([secret], body))).toEqual({ text })
      }),
    )
  })

  test('is one for each secret that counts, and each verifies by itself', () => {
    const [one, other, third] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]
    const headers = signed([one, other], '{}')
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
    for (const secret of [one, other]) expect(verify(secret, '{}', headers)).toEqual({})
    expect(() => verify(third, '{}', headers)).toThrow(WebhookVerificationError)
  })

  test('fails over other bytes, for another id and after five minutes', () => {
    const secret = newWebhookSecret()
    const headers = signed([secret], '{}')
    expect(() => verify(secret, '{ }', headers)).toThrow(WebhookVerificationError)
    expect(() => verify(secret, '{}', { ...headers, 'webhook-id': 'evt_2' })).toThrow(
      WebhookVerificationError,
    )
    const old = signed([secret], '{}', new Date(Date.now() - 6 * minute * 1000))
    expect(() => verify(secret, '{}', old)).toThrow(WebhookVerificationError)
  })
})

test('of an answer at most so many bytes are kept, as text that a database takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const kept = storable(text, 40)
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(40)
      expect(kept).not.toContain('\0')
      expect(Buffer.from(kept).toString()).toBe(kept)
    }),
  )
  expect(storable('ä'.repeat(30), 41)).toBe('ä'.repeat(20))
})

describe('where events may be sent', () => {
  const said = (url: string, reach: Reach) => addressProblem(url, reach)?.en ?? 'may be used'
  test.each([
    'https://example.com/hook',
    'https://example.com:8443/hook?token=x',
    'https://1.1.1.1/hook',
    'https://[2606:4700:4700::1111]/hook',
  ])('%s may be used anywhere', (url) =>
    expect([said(url, 'public'), said(url, 'loopback')]).toEqual(['may be used', 'may be used']),
  )

  test.each([
    'https://localhost/hook',
    'https://localhost./hook',
    'https://api.localhost/hook',
    'https://127.0.0.1/hook',
    'https://127.1/hook',
    'https://2130706433/hook',
    'https://0x7f.1/hook',
    'https://0177.0.0.1/hook',
    'https://127.0.0.1./hook',
    'https://[::1]/hook',
  ])('%s is this machine, which a sandbox alone may reach', (url) =>
    expect([said(url, 'public'), said(url, 'loopback')]).toEqual(['must be a public address', 'may be used']),
  )

  test.each([
    'https://0.0.0.0/hook',
    'https://10.0.0.1/hook',
    'https://172.16.0.1/hook',
    'https://192.168.1.1/hook',
    'https://100.64.0.1/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://[::]/hook',
    'https://[::ffff:10.0.0.1]/hook',
    'https://[::ffff:127.0.0.1]/hook',
    'https://[64:ff9b::a00:1]/hook',
    'https://[fd00::1]/hook',
    'https://[fe80::1]/hook',
    'https://[2002:7f00:1::]/hook',
    'https://metadata.google.internal/hook',
    'https://printer.local/hook',
    'https://router.home.arpa/hook',
    'https://postgres:5432/hook',
  ])('%s lies inside, and is refused everywhere', (url) =>
    expect([said(url, 'public'), said(url, 'loopback')]).toEqual([
      'must be a public address',
      'must be a public address',
    ]),
  )

  test.each([
    ['http://example.com/hook', 'must be an https address', 'may be used'],
    ['http://127.0.0.1:3000/hook', 'must be an https address', 'may be used'],
    ['ftp://example.com/hook', 'must be an https address', 'must be an https address'],
    ['file:///etc/passwd', 'must be an https address', 'must be an https address'],
    [
      'https://me:word@example.com/',
      'must not carry a user or a password',
      'must not carry a user or a password',
    ],
    ['example.com/hook', 'must be an https address', 'must be an https address'],
  ])('%s %s; in a sandbox it %s', (url, inEarnest, inSandbox) =>
    expect([said(url, 'public'), said(url, 'loopback')]).toEqual([inEarnest, inSandbox]),
  )
})
