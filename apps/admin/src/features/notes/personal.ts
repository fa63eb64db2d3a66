/** What a note should not hold, because the console hides it everywhere else. */
const kinds = [
  ['phone', /(?<!\d)(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?!\d)/],
  ['identity_card', /(?<!\d)[1-9]\d{5}(?:19|20)\d{9}[\dXx](?![\dXx])/],
  ['openid', /(?<![\w-])o[\w-]{27}(?![\w-])/],
] as const

/** Which of these a text looks like; null for none. It is a hint: another number may look like one. */
export const personalIn = (text: string) => kinds.find(([, looks]) => looks.test(text))?.[0] ?? null
