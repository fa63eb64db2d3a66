import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createPayments, type PaymentSettings, systemRuntime } from '../src/index.ts'
import { createPlatform } from '../src/testing/index.ts'
import { makeCertificate } from '../src/testing/platform-keys.ts'
import { problemsOf } from './world/settings-problems.ts'

const platform = createPlatform({ keyMode: 'mixed' })
const good: PaymentSettings = platform.settings('http://127.0.0.1:1')
const [publicKey, certificate] = good.platformKeys
if (!publicKey || !certificate) throw new Error('two keys expected')
const small = generateKeyPairSync('rsa', { modulusLength: 1024 })
const smallPem = small.publicKey.export({ type: 'spki', format: 'pem' }).toString()

describe('settings', () => {
  it('that are right start', () => {
    const payments = createPayments(good, systemRuntime)
    expect(payments.platformHost).toBe('127.0.0.1:1')
    expect(payments.keyReport().keys.map(({ kind }) => kind)).toEqual(['public_key', 'certificate'])
    expect(payments.clockSkewMs()).toBeNull()
  })

  const wrong: [string, keyof PaymentSettings, Partial<PaymentSettings>][] = [
    ['an app id with a space', 'appId', { appId: 'wx 1' }],
    ['an empty merchant id', 'mchId', { mchId: '' }],
    ['a decimal serial number', 'merchantSerialNo', { merchantSerialNo: '1'.repeat(48) }],
    ['a key that is none', 'merchantPrivateKey', { merchantPrivateKey: 'secret-nonsense' }],
    ['a public key as private key', 'merchantPrivateKey', { merchantPrivateKey: publicKey.pem }],
    ['an API v3 key of 31 bytes', 'apiV3Keys', { apiV3Keys: ['k'.repeat(31)] }],
    ['an API v3 key with a space at its end', 'apiV3Keys', { apiV3Keys: [`${'k'.repeat(32)} `] }],
    ['three API v3 keys', 'apiV3Keys', { apiV3Keys: Array.from({ length: 3 }, () => 'k'.repeat(32)) }],
    ['no API v3 key', 'apiV3Keys', { apiV3Keys: [] }],
    ['no platform key', 'platformKeys', { platformKeys: [] }],
    ['half a public key id', 'platformKeys', { platformKeys: [{ id: '0112345', pem: certificate.pem }] }],
    [
      'a certificate as public key',
      'platformKeys',
      { platformKeys: [{ id: publicKey.id, pem: certificate.pem }] },
    ],
    ['the same id twice', 'platformKeys', { platformKeys: [publicKey, publicKey] }],
    ['a short platform key', 'platformKeys', { platformKeys: [{ id: publicKey.id, pem: smallPem }] }],
    [
      'a private key as platform key',
      'platformKeys',
      { platformKeys: [{ id: publicKey.id, pem: good.merchantPrivateKey }] },
    ],
    ['plain http', 'notifyUrl', { notifyUrl: 'http://shop.example.com/notify' }],
    ['a query', 'notifyUrl', { notifyUrl: 'https://shop.example.com/notify?a=1' }],
    ['a base URL with a path', 'baseUrl', { baseUrl: 'https://example.com/v3' }],
    ['a base URL over http', 'baseUrl', { baseUrl: 'http://example.com' }],
  ]

  it.each(wrong)('with %s do not start, and no value is shown', (_, setting, change) => {
    const problems = problemsOf({ ...good, ...change })
    expect(problems.map((problem) => problem.setting)).toContain(setting)
    const shown = JSON.stringify(problems)
    for (const value of Object.values(change).flat()) {
      const text = typeof value === 'object' ? value.pem : String(value)
      if (text.length > 8) expect(shown).not.toContain(text)
    }
  })

  it('name everything that is wrong at once', () => {
    const problems = problemsOf({ ...good, appId: '', apiV3Keys: ['short'], notifyUrl: 'nonsense' })
    expect(problems.map(({ setting }) => setting)).toEqual(['appId', 'notifyUrl', 'apiV3Keys'])
  })

  it('with a serial number that lost its leading zero mean the certificate by its whole number', () => {
    const serial = Buffer.from(`0a${'5'.repeat(38)}`, 'hex')
    const { certificate: pem } = makeCertificate({
      subject: 'a',
      from: new Date(0),
      to: new Date(2 ** 41),
      serial,
    })
    const platformKeys = [{ id: `A${'5'.repeat(38)}`, pem }]
    const payments = createPayments({ ...good, platformKeys }, systemRuntime)
    expect(payments.keyReport().keys[0]?.id).toBe(`0A${'5'.repeat(38)}`)
  })

  it('with lower-case serial numbers mean the same certificates', () => {
    const lower = { id: certificate.id.toLowerCase(), pem: certificate.pem }
    const payments = createPayments({ ...good, platformKeys: [lower] }, systemRuntime)
    expect(payments.keyReport().keys[0]?.id).toBe(certificate.id)
  })
})
