import type { Check } from './check.ts'
import type { Phone } from './phone.ts'

type Kept = Pick<Phone, 'storage'>

/** The text that is stored under a key; null where the phone cannot read it. */
export function readText({ storage }: Kept, key: string): string | null {
  try {
    return storage.read(key)
  } catch {
    return null
  }
}

/**
 * What is stored under a key, where it is what it should be. Something half-written, broken or of another version of
 * the mini-program counts as nothing: nobody is locked out by what their phone kept.
 */
export function readStored<Value>(phone: Kept, key: string, is: Check<Value>): Value | null {
  try {
    const value: unknown = JSON.parse(readText(phone, key) ?? 'null')
    return is(value) ? value : null
  } catch {
    return null
  }
}
