/** What PostgreSQL's text and jsonb refuse: NUL, and halves of surrogate pairs. */
const unstorable = /[\0\p{Surrogate}]/u

/** Real documents are three levels deep; the database's parser gives up at some thousands. */
export const STORABLE_LEVELS = 32

/** Whether PostgreSQL can keep this text: no NUL, no half of a surrogate pair. */
export const isStorableText = (text: string): boolean => !unstorable.test(text)

/**
 * Whether PostgreSQL can keep this parsed JSON: storable texts and names, finite numbers (`1e400` is read as Infinity and
 * would be written as null, RFC 8259 section 6), nested at most `STORABLE_LEVELS` deep. One pass
 * without copies, since documents of 256 KiB are checked on the event loop.
 */
export function isStorableJson(value: unknown, level = 0): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (level === STORABLE_LEVELS) return false
  if (Array.isArray(value)) return value.every((part) => isStorableJson(part, level + 1))
  for (const [key, part] of Object.entries(value)) {
    if (!isStorableText(key) || !isStorableJson(part, level + 1)) return false
  }
  return true
}
