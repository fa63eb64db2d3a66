import { isStorableJson, STORABLE_LEVELS } from '@meridian/contracts'

/** What PostgreSQL refuses, to be replaced wherever it occurs. */
const unstorable = /[\0\p{Surrogate}]/gu

const storableText = (text: string): string => text.replace(unstorable, '\u{fffd}')

function storable(value: unknown, level = 0): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (level === STORABLE_LEVELS) return '…'
  if (Array.isArray(value)) return value.map((part) => storable(part, level + 1))
  const parts = Object.entries(value).map(([key, part]) => [storableText(key), storable(part, level + 1)])
  return Object.fromEntries(parts)
}

/**
 * A decrypted payload as JSON that the database takes: what it cannot hold is replaced, too deep nesting cut off. The
 * bytes beside it stay as they came, and what is processed is read from those.
 */
export const storableJson = (payload: unknown): string =>
  JSON.stringify(isStorableJson(payload) ? payload : storable(payload))
