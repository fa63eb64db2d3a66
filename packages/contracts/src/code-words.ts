import type { Words } from './text.ts'

/**
 * What the codes of the lists are called, in every language: on the pages of the console and in the files that leave
 * it.
 */
export type CodeWords<Code extends string> = Record<keyof Words, Record<Code, string>>

/** What each code is called, side by side: the first in Chinese, the second in English. */
export function codeWords<Code extends string>(
  words: Readonly<Record<Code, readonly [zh: string, en: string]>>,
): CodeWords<Code>
export function codeWords(
  words: Readonly<Record<string, readonly [zh: string, en: string]>>,
): CodeWords<string> {
  const codes = Object.entries(words)
  return {
    zh: Object.fromEntries(codes.map(([code, [zh]]) => [code, zh])),
    en: Object.fromEntries(codes.map(([code, [, en]]) => [code, en])),
  }
}
