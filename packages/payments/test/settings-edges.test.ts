import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { PaymentSettings } from '../src/index.ts'
import { createPlatform } from '../src/testing/index.ts'
import { problemsOf as settingsProblems } from './world/settings-problems.ts'

const good: PaymentSettings = createPlatform({ keyMode: 'mixed' }).settings('http://127.0.0.1:1')
const [publicKey, certificate] = good.platformKeys
if (!publicKey || !certificate) throw new Error('two keys expected')

const problemsOf = (changes: Partial<PaymentSettings>) => settingsProblems({ ...good, ...changes })

type Named = 'appId' | 'mchId' | 'merchantSerialNo' | 'notifyUrl' | 'baseUrl'
const taken = (setting: Named, values: string[]) =>
  it.each(values)(`${setting} may be %s`, (value) => {
    expect(problemsOf({ [setting]: value })).toEqual([])
  })
const refused = (setting: Named, message: string, values: string[]) =>
  it.each(values)(`${setting} may not be %j`, (value) => {
    expect(problemsOf({ [setting]: value })).toEqual([{ setting, message }])
  })

describe('names', () => {
  taken('appId', ['w', 'wx_1-A', 'w'.repeat(32)])
  refused('appId', 'must be 1 to 32 letters and digits', [
    '',
    ' wx1',
    'wx1 ',
    'w'.repeat(33),
    'wx.1',
    'wx1\n',
  ])
  taken('mchId', ['1', '1230000109', 'M'.repeat(32)])
  refused('mchId', 'must be 1 to 32 digits', ['', ' 123', '123 ', '1'.repeat(33), '12-3', '123\n'])
})

describe('the serial number of the merchant certificate', () => {
  taken('merchantSerialNo', ['AB', 'ab'.repeat(20), '12'.repeat(20), `${'12'.repeat(19)}AB`, '0A'])
  refused(
    'merchantSerialNo',
    'must be the hexadecimal serial number of the merchant certificate, with its leading zeros',
    ['', 'A', 'ABC', 'AB'.repeat(21), '12', '12'.repeat(19), '1'.repeat(42), 'AG', ' AB', 'AB '],
  )
})

describe('where the platform notifies', () => {
  const at = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`
  taken('notifyUrl', [
    'https://shop.example.com/notify',
    'https://shop.example.com:8443/a/b',
    'http://127.0.0.1/notify',
    'http://127.1.2.3:80/notify',
    'http://localhost:3000/notify',
    'http://[::1]:3000/notify',
    at(255),
  ])
  refused('notifyUrl', 'must be an https URL; http is for loopback only', [
    '',
    'shop.example.com',
    'http://shop.example.com/notify',
    'ftp://shop.example.com/notify',
    'ftp://localhost/notify',
    'http://localhost.example.com/notify',
    'http://127.0.0.1.example.com/notify',
    'http://x127.0.0.1.nip.example/notify',
    'http://10.0.0.1/notify',
  ])
  refused('notifyUrl', 'must have no query and no fragment', [
    'https://shop.example.com/notify?a=1',
    'https://shop.example.com/notify?',
    'https://shop.example.com/notify#a',
    'https://shop.example.com/notify#',
  ])
  refused('notifyUrl', 'must hold no user name', [
    'https://me@shop.example.com/',
    'https://:word@shop.example.com/',
  ])
  refused('notifyUrl', 'must be at most 255 characters', [at(256)])
})

describe('where the platform is', () => {
  taken('baseUrl', [
    'https://api.mch.weixin.qq.com',
    'https://example.com/',
    'https://example.com:8443',
    'http://127.0.0.1:8080',
  ])
  refused('baseUrl', 'must be an https URL; http is for loopback only', [
    '',
    'nonsense',
    'http://example.com',
  ])
  refused('baseUrl', 'must be scheme, host and port only', [
    'https://example.com/v3',
    'https://me@example.com',
    'https://:word@example.com',
    'https://example.com?',
    'https://example.com/?a=1',
    'https://example.com#',
  ])
})

describe('the private key of the merchant', () => {
  const pem = (bits: number) =>
    generateKeyPairSync('rsa', { modulusLength: bits })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString()
  const curved = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

  it.each([
    ['too short', pem(1024), 'must be an RSA key of at least 2048 bits'],
    [
      'of another kind',
      curved.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'must be an RSA key of at least 2048 bits',
    ],
    ['nothing', '', 'must be a private key in PEM form without passphrase'],
  ])('is refused where it is %s', (_, merchantPrivateKey, message) => {
    expect(problemsOf({ merchantPrivateKey })).toEqual([{ setting: 'merchantPrivateKey', message }])
  })
})

describe('API v3 keys', () => {
  it('are one, or two', () => {
    const message = 'must be one key, or two while rotating'
    const key = 'k'.repeat(32)
    expect(problemsOf({ apiV3Keys: [key] })).toEqual([])
    expect(problemsOf({ apiV3Keys: [] })).toEqual([{ setting: 'apiV3Keys', message }])
    expect(problemsOf({ apiV3Keys: [key, key, key] })).toEqual([{ setting: 'apiV3Keys', message }])
  })
  it('are refused where one of two has another length', () => {
    const [key, short] = ['k'.repeat(32), 's'.repeat(31)]
    for (const apiV3Keys of [
      [short, key],
      [key, short],
    ])
      expect(problemsOf({ apiV3Keys })).toEqual([
        { setting: 'apiV3Keys', message: 'must be exactly 32 bytes' },
      ])
    expect(problemsOf({ apiV3Keys: [key, 'o'.repeat(32)] })).toEqual([])
  })
  it('are measured in bytes', () => {
    expect(problemsOf({ apiV3Keys: ['é'.repeat(16)] })).toEqual([])
    expect(problemsOf({ apiV3Keys: ['é'.repeat(32)] })).toMatchObject([
      { message: 'must be exactly 32 bytes' },
    ])
  })
})

describe('keys of the platform', () => {
  const malformed = 'an id must be a hexadecimal certificate serial number or a whole PUB_KEY_ID_…'
  const problemsWith = (platformKeys: PaymentSettings['platformKeys'], downloadKeys = false) =>
    problemsOf({ platformKeys, downloadKeys }).map(({ setting, message }) => [setting, message])

  it('may be none where they are downloaded, and only there', () => {
    expect(problemsWith([], true)).toEqual([])
    expect(problemsWith([])).toEqual([
      ['platformKeys', 'must hold at least one key where keys are not downloaded'],
    ])
  })

  it.each(['', 'PUB_KEY_ID_', 'PUB_KEY_ID_1!', 'XPUB_KEY_ID_1', 'GG', ' AB', 'AB ', 'A'.repeat(41)])(
    'are not named %j',
    (id) => {
      expect(problemsWith([{ id, pem: publicKey.pem }])).toEqual([['platformKeys', malformed]])
    },
  )

  it('are told apart by their whole number, in any letters', () => {
    expect(problemsWith([certificate, { ...certificate, id: certificate.id.toLowerCase() }])).toEqual([
      ['platformKeys', 'holds the same id twice'],
    ])
    expect(problemsWith([publicKey, certificate])).toEqual([])
  })

  it('are never the merchant’s own, neither by number nor by key', () => {
    expect(problemsWith([{ ...certificate, id: good.merchantSerialNo }])).toEqual([
      ['platformKeys', 'holds the serial number of the merchant certificate'],
    ])
    const merchantPublic = createPublicKey(good.merchantPrivateKey)
      .export({ type: 'spki', format: 'pem' })
      .toString()
    expect(problemsWith([{ id: publicKey.id, pem: merchantPublic }])).toEqual([
      ['platformKeys', 'holds the merchant certificate or key'],
    ])
  })

  it('go on being checked after one that is wrong', () => {
    expect(
      problemsWith([
        { id: '!', pem: '' },
        { id: publicKey.id, pem: 'no key' },
      ]),
    ).toEqual([
      ['platformKeys', malformed],
      ['platformKeys', 'not a readable certificate or public key'],
    ])
  })

  it('are not compared with a private key that cannot be read', () => {
    expect(problemsOf({ merchantPrivateKey: 'none' }).map(({ setting }) => setting)).toEqual([
      'merchantPrivateKey',
    ])
  })
})
