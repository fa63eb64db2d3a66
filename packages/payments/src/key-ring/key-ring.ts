import type { KeyObject } from 'node:crypto'
import type { KeyFor } from '../signature/verify-signed.ts'
import { type HeldKey, PUBLIC_KEY_ID, sameSerial } from './read-platform-key.ts'

export type PreferredKey = { id: string; key: KeyObject }

export type KeyRing = {
  keyFor: KeyFor
  /** The key to name in `Wechatpay-Serial` and to encrypt for; null while the ring is empty. */
  preferred: () => PreferredKey | null
  /** Adds keys and drops the certificates that have ended. */
  add: (keys: readonly HeldKey[]) => void
  held: () => readonly HeldKey[]
}

export type RingParts = { merchantSerialNo: string; now: () => Date }

/** Whether a downloaded certificate is past its end (RFC 5280 §4.1.2.5: valid through its last second). */
export const hasEnded = ({ source, expiresAt }: HeldKey, now: Date): boolean =>
  source === 'download' && expiresAt !== null && expiresAt < now

/**
 * The platform's keys by exact serial (protocol §2): certificates and public keys side by side, so that a change from
 * one to the other needs no moment of truth. The merchant's own serial can never be in it. A downloaded certificate
 * counts until its end by the clock, however long ago it was downloaded; what the settings gave stays.
 */
export function keyRing(initial: readonly HeldKey[], { merchantSerialNo, now }: RingParts): KeyRing {
  const keys = new Map<string, HeldKey>()
  const held = () => [...keys.values()].filter((key) => !hasEnded(key, now()))
  const add = (added: readonly HeldKey[]) => {
    for (const key of keys.values()) if (hasEnded(key, now())) keys.delete(key.id)
    for (const key of added) {
      if (sameSerial(key.id, merchantSerialNo))
        throw new Error('the merchant certificate is not a platform key')
      // What an operator configured outranks what was downloaded under the same serial.
      if (keys.get(key.id)?.source !== 'settings') keys.set(key.id, key)
    }
  }
  add(initial)
  return {
    keyFor: (serial) => {
      const key = keys.get(serial)
      return key === undefined || hasEnded(key, now()) ? undefined : key.key
    },
    preferred: () => preferredOf(held()),
    add,
    held,
  }
}

/** The public key where there is one, since naming it is what moves answers over to it; else what is valid longest. */
function preferredOf(keys: readonly HeldKey[]): PreferredKey | null {
  const publicKey = keys.find(({ id }) => PUBLIC_KEY_ID.test(id))
  if (publicKey) return publicKey
  const [longest] = [...keys].sort((a, b) => (b.expiresAt?.getTime() ?? 0) - (a.expiresAt?.getTime() ?? 0))
  return longest ?? null
}
