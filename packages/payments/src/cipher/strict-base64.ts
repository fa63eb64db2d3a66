/**
 * Decodes base64 and refuses every text that is not exactly what encoding the result would give: Node's own decoder
 * skips foreign characters, takes the URL alphabet, ignores trailing bits and looks at the low byte only of characters
 * beyond Latin-1, so that several texts would pass as one.
 */
export function strictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}
