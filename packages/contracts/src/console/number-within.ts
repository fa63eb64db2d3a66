const characters = '[0-9A-Z]'
const notInside = '(?<![0-9A-Z-])'
const ends = '(?![0-9A-Z-])'
const [four, most] = ['[四五六七八4-8]', '[0-9A-Z][0-9A-Z-]{3,31}']

/** What no other text looks like, in the order in which it is taken. */
const numbers: readonly RegExp[] = [
  /(?<![0-9A-Z])([MR][0-9A-Z]{26})(?![0-9A-Z])/i,
  /(?<![0-9A-Z-])([0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12})(?![0-9A-Z-])/i,
  /(?<!\d)(\d{28,29})(?!\d)/,
  /(?<![\w-])(o[\w-]{27})(?![\w-])/,
  // A part of a number, behind a word that says so.
  new RegExp(`(?:尾号|[后末]${four}[位个]|单号|序列号|设备号)[\\s:：#是为]{0,6}(${most})${ends}`, 'i'),
  new RegExp(
    `(?:ending(?: in| with)?|last (?:four|five|six|seven|eight|[4-8])(?: characters| digits)?|(?:serial|order|refund)(?: number| no\\.?)?)(?: is)?\\s*[:#]?\\s*(?=[A-Z-]*\\d)(${most})${ends}`,
    'i',
  ),
  // A device's, which has letters and digits.
  new RegExp(`设备[\\s:：#是为]{0,6}(?=[0-9A-Z-]*[A-Z])(?=[A-Z-]*\\d)(${most})${ends}`, 'i'),
  // As serial numbers are mostly written: capitals and four digits or more with hyphens, begun by a letter. WI-FI-6 and
  // COVID-19 have fewer.
  /(?<![0-9A-Za-z-])(?=(?:[A-Z-]*\d){4})(?=[0-9A-Z-]{4,32}(?![0-9A-Za-z-]))([A-Z][0-9A-Z]*(?:-[0-9A-Z]+)+)/,
  // As the labels on devices have it.
  new RegExp(`${notInside}(SN-?(?=[A-Z-]*\\d)${characters}[0-9A-Z-]{3,28})${ends}`, 'i'),
]
/** An id as lists show it: its beginning and its end. */
const shortened = /^\S{1,12}…(\S{4,12})$/

/** The one word of a message that can be a part of a number: digits and capitals, and no telephone number. */
function wordOfMessage(text: string): string | undefined {
  const isMessage = text.length > 14 && /[^0-9A-Za-z-]/.test(text)
  const words = isMessage ? (text.match(/(?<![0-9A-Za-z.-])[0-9A-Z]{6,28}(?![0-9A-Za-z.-])/g) ?? []) : []
  const found = words.filter((word) => /\d/.test(word) && !/^1[3-9]\d{9}$/.test(word))
  return found.length === 1 ? found[0] : undefined
}

/**
 * The id that a text carries: an order's or a refund's number, a user id, an openid, or a number of the platform (28 or
 * 29 digits) out of a whole message; the end of a number, or a serial number, behind a word that says so; the end of an
 * id that a list has shortened. Without one, the text itself.
 */
export function numberWithin(text: string): string {
  for (const number of numbers) {
    const found = number.exec(text)
    if (found?.[1]) return found[1]
  }
  const trimmed = text.trim()
  return shortened.exec(trimmed)?.[1] ?? wordOfMessage(trimmed) ?? trimmed
}
