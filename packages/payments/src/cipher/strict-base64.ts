/**
 * Decodes base64 and refuses every text that is not exactly what encoding the result would give: Node's own decoder
 * skips foreign characters, takes the URL alphabet and ignores trailing bits, so that several texts would pass as one.
 */
export function strictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}
