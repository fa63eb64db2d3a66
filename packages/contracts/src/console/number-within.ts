const numbers: readonly RegExp[] = [
  /(?<![0-9A-Z])[MR][0-9A-Z]{26}(?![0-9A-Z])/i,
  /(?<![0-9A-Z-])[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}(?![0-9A-Z-])/i,
  /(?<!\d)\d{28}(?!\d)/,
]
/** An id as lists show it: its beginning and its end. */
const shortened = /^\S{1,12}…(\S{4,12})$/

/**
 * The id that a text carries: an order's or a refund's number, a user id, or a transaction id of the platform (28 digits)
 * out of a whole message; the end of an id that a list has shortened. Without one, the text itself.
 */
export function numberWithin(text: string): string {
  for (const number of numbers) {
    const found = number.exec(text)
    if (found) return found[0]
  }
  const trimmed = text.trim()
  return shortened.exec(trimmed)?.[1] ?? trimmed
}
