import { describe, expect, it } from 'vitest'
import { keyRing } from '../src/key-ring/key-ring.ts'
import { readPlatformKey } from '../src/key-ring/read-platform-key.ts'
import { makeCertificate } from '../src/testing/make-certificate.ts'

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
