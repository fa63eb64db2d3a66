import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { keyRing, readPlatformKey } from '../src/key-ring/key-ring.ts'
import { generatePlatformKeys } from '../src/testing/index.ts'
import { makeCertificate } from '../src/testing/platform-keys.ts'

const from = new Date('2026-01-01T00:00:00Z')
const to = new Date('2026-12-31T23:59:59Z')
const justAfter = new Date(to.getTime() + 1)
const held = (source: 'settings' | 'download') => {
  const { serial, certificate } = makeCertificate({ subject: 'Tenpay.com', from, to })
  return readPlatformKey({ id: serial, pem: certificate, source })
}

/** A ring with one key, and what of it counts at an instant. */
function ringOf(source: 'settings' | 'download') {
  let now = from
  const key = held(source)
  const ring = keyRing([key], { merchantSerialNo: 'AB'.repeat(20), now: () => now })
  return (at: Date) => {
    now = at
    return [ring.keyFor(key.id) !== undefined, ring.preferred()?.id === key.id, ring.held().length === 1]
  }
}

describe('a platform certificate at its end', () => {
  it('counts to its very last instant where it was downloaded, and to no later one', () => {
    const countsAt = ringOf('download')
    expect(countsAt(to)).toEqual([true, true, true])
    expect(countsAt(justAfter)).toEqual([false, false, false])
  })

  it('stays where the settings gave it: an operator chose it', () => {
    expect(ringOf('settings')(justAfter)).toEqual([true, true, true])
  })

  it('is dropped when others come, not before', () => {
    let now = to
    const [old, other] = [held('download'), held('settings')]
    const ring = keyRing([old], { merchantSerialNo: 'AB'.repeat(20), now: () => now })
    ring.add([other])
    expect(ring.held().map(({ id }) => id)).toEqual([old.id, other.id])
    now = justAfter
    ring.add([])
    now = to
    expect(ring.held().map(({ id }) => id)).toEqual([other.id])
  })
})

describe('a text that is no key of the platform is refused in our own words', () => {
  const { publicKey } = generatePlatformKeys()
  const { serial, certificate } = makeCertificate({ subject: 'Tenpay.com', from, to })
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  const curved = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()

  it.each([
    ['is nothing', { id: serial, pem: '' }, 'not a readable certificate or public key'],
    ['is no key', { id: publicKey.id, pem: 'a key' }, 'not a readable certificate or public key'],
    [
      'is half a certificate',
      { id: serial, pem: '-----BEGIN CERTIFICATE-----' },
      'not a readable certificate',
    ],
    [
      'is a private key',
      { id: publicKey.id, pem: publicKey.privateKey },
      'a private key where a public one belongs',
    ],
    ['is too short a key', { id: publicKey.id, pem: pemOf(small) }, 'not an RSA key of at least 2048 bits'],
    [
      'is a key of another kind',
      { id: publicKey.id, pem: pemOf(curved) },
      'not an RSA key of at least 2048 bits',
    ],
    [
      'is a certificate named as a key',
      { id: publicKey.id, pem: certificate },
      'names a public key, not a certificate',
    ],
    [
      'is another certificate',
      { id: 'AB'.repeat(20), pem: certificate },
      'the certificate has another serial number',
    ],
  ])('where it %s', (_, key, problem) => {
    expect(() => readPlatformKey({ ...key, source: 'settings' })).toThrow(problem)
  })
})
