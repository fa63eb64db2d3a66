import type { KeyObject } from 'node:crypto'
import type { KeyFor } from '../signature/verify-signed.ts'
import { type HeldKey, PUBLIC_KEY_ID, sameSerial } from './read-platform-key.ts'

export type PreferredKey = { id: string; key: KeyObject }

export type KeyRing = {
  keyFor: KeyFor
  /** The key to name in `Wechatpay-Serial` and to encrypt for; null while the ring is empty. */
  preferred: () => PreferredKey | null
  add: (keys: readonly HeldKey[]) => void
  /** Drops downloaded certificates that are past their end; what the settings gave stays. */
  dropExpired: (now: Date) => void
  held: () => readonly HeldKey[]
}

/**
 * The platform's keys by exact serial (protocol §2): certificates and public keys side by side, so that a change from
 * one to the other needs no moment of truth. The merchant's own serial can never be in it.
 */
export function keyRing(initial: readonly HeldKey[], merchantSerialNo: string): KeyRing {
  const keys = new Map<string, HeldKey>()
  const add = (added: readonly HeldKey[]) => {
    for (const key of added) {
      if (sameSerial(key.id, merchantSerialNo))
        throw new Error('the merchant certificate is not a platform key')
      // What an operator configured outranks what was downloaded under the same serial.
      if (keys.get(key.id)?.source !== 'settings') keys.set(key.id, key)
    }
  }
  add(initial)
  return {
    keyFor: (serial) => keys.get(serial)?.key,
    preferred: () => preferredOf([...keys.values()]),
    add,
    dropExpired: (now) => {
      for (const [id, key] of keys) {
        if (key.source === 'download' && key.expiresAt !== null && key.expiresAt < now) keys.delete(id)
      }
    },
    held: () => [...keys.values()],
  }
}

/** The public key where there is one, since naming it is what moves answers over to it; else what is valid longest. */
function preferredOf(keys: readonly HeldKey[]): PreferredKey | null {
  const publicKey = keys.find(({ id }) => PUBLIC_KEY_ID.test(id))
  if (publicKey) return publicKey
  const [longest] = [...keys].sort((a, b) => (b.expiresAt?.getTime() ?? 0) - (a.expiresAt?.getTime() ?? 0))
  return longest ?? null
}
