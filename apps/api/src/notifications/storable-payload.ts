/** What PostgreSQL's text and jsonb refuse: NUL, and halves of surrogate pairs. */
const unstorable = /[\0\p{Surrogate}]/gu

/** Real payloads are three levels deep; the database's parser gives up at some thousands. */
const deepest = 32

const isStorableText = (text: string): boolean => text.search(unstorable) === -1

function isStorable(value: unknown, level = 0): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (level === deepest) return false
  return Object.entries(value).every(([key, part]) => isStorableText(key) && isStorable(part, level + 1))
}

const storableText = (text: string): string => text.replace(unstorable, '\u{fffd}')

function storable(value: unknown, level = 0): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (level === deepest) return '…'
  if (Array.isArray(value)) return value.map((part) => storable(part, level + 1))
  const parts = Object.entries(value).map(([key, part]) => [storableText(key), storable(part, level + 1)])
  return Object.fromEntries(parts)
}

/**
 * A decrypted payload as JSON that the database takes: what it cannot hold is replaced, too deep nesting cut off. The
 * bytes beside it stay as they came, and what is processed is read from those.
 */
export const storableJson = (payload: unknown): string =>
  JSON.stringify(isStorable(payload) ? payload : storable(payload))
