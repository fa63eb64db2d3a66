import { createCipheriv, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  deriveKey,
  isNewest,
  macOf,
  type Secrets,
  seal,
  UnsealError,
  unseal,
} from '../../src/platform/crypto/seal.ts'

const text = 'any text of at least thirty-two bytes, as an owner writes it'
const keys: Secrets = [text]
const next: Secrets = [`${text}, the next`, text]
const secret = Buffer.from('a secret of a device')

test('what was sealed opens again, and is never written twice alike', () => {
  const [one, other] = [seal(keys, 'device:A-1', secret), seal(keys, 'device:A-1', secret)]
  expect(unseal(keys, 'device:A-1', one)).toEqual(secret)
  expect(one.equals(other)).toBe(false)
  expect(one.includes(secret)).toBe(false)
})

test('another key, another row or a changed byte opens nothing', () => {
  const sealed = seal(keys, 'device:A-1', secret)
  expect(() => unseal([`${text}.`], 'device:A-1', sealed)).toThrow(UnsealError)
  expect(() => unseal(keys, 'device:A-2', sealed)).toThrow(UnsealError)
  for (const index of sealed.keys()) {
    const changed = Buffer.from(sealed)
    changed[index] = (changed[index] ?? 0) ^ 1
    expect(() => unseal(keys, 'device:A-1', changed)).toThrow(UnsealError)
  }
  expect(() => unseal(keys, 'device:A-1', sealed.subarray(0, 20))).toThrow(UnsealError)
})

test('during a rotation the newest key seals and every key of the list opens', () => {
  const before = seal(keys, 'device:A-1', secret)
  expect(unseal(next, 'device:A-1', before)).toEqual(secret)
  expect(isNewest(next, before)).toBe(false)
  const after = seal(next, 'device:A-1', secret)
  expect(isNewest(next, after)).toBe(true)
  expect(() => unseal(keys, 'device:A-1', after)).toThrow(UnsealError)
})

test('what was sealed before keys had a fingerprint still opens', () => {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(text, 'seal'), iv).setAAD(Buffer.from('device:A-1'))
  const body = Buffer.concat([cipher.update(secret), cipher.final()])
  const sealed = Buffer.concat([Buffer.of(1), iv, cipher.getAuthTag(), body])
  expect(unseal(next, 'device:A-1', sealed)).toEqual(secret)
  expect(isNewest(keys, sealed)).toBe(false)
  expect(() => unseal([`${text}.`], 'device:A-1', sealed)).toThrow(UnsealError)
})

test('the mark of an identity is the same every time and differs by identity and by key', () => {
  const key = randomBytes(32)
  expect(macOf(key, 'o1')).toBe(macOf(key, 'o1'))
  expect(macOf(key, 'o1')).toMatch(/^[\w-]{43}$/)
  expect(new Set([macOf(key, 'o1'), macOf(key, 'o2'), macOf(randomBytes(32), 'o1')]).size).toBe(3)
})
