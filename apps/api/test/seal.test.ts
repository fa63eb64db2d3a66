import { expect, test } from 'vitest'
import { macOf, seal, unseal } from '../src/seal.ts'

const key = 'any text of at least thirty-two bytes, as an owner writes it'
const secret = Buffer.from('a secret of a device')

test('what was sealed opens again, and is never written twice alike', () => {
  const [one, other] = [seal(key, 'device:A-1', secret), seal(key, 'device:A-1', secret)]
  expect(unseal(key, 'device:A-1', one)).toEqual(secret)
  expect(one.equals(other)).toBe(false)
  expect(one.includes(secret)).toBe(false)
})

test('another key, another row or a changed byte opens nothing', () => {
  const sealed = seal(key, 'device:A-1', secret)
  expect(() => unseal(`${key}.`, 'device:A-1', sealed)).toThrow()
  expect(() => unseal(key, 'device:A-2', sealed)).toThrow()
  for (const index of sealed.keys()) {
    const changed = Buffer.from(sealed)
    changed[index] = (changed[index] ?? 0) ^ 1
    expect(() => unseal(key, 'device:A-1', changed)).toThrow()
  }
  expect(() => unseal(key, 'device:A-1', sealed.subarray(0, 20))).toThrow()
})

test('the mark of an identity is the same every time and differs by identity and by key', () => {
  expect(macOf(key, 'o1')).toBe(macOf(key, 'o1'))
  expect(macOf(key, 'o1')).toMatch(/^[\w-]{43}$/)
  expect(new Set([macOf(key, 'o1'), macOf(key, 'o2'), macOf(`${key}.`, 'o1')]).size).toBe(3)
})
