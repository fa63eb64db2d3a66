import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readGlossary, refusedIn, says } from '@meridian/contracts/testing'
import { describe, expect, test } from 'vitest'
import { en } from '../src/messages/en/index.ts'
import { zhCN } from '../src/messages/zh-CN/index.ts'

type Language = 'zh-CN' | 'en'
type Message = { key: string; text: string }

/** Every message with the words it says: without its arguments and marks. */
const messagesIn = (texts: object, prefix = ''): Message[] =>
  Object.entries(texts).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? messagesIn(value, `${prefix}${key}.`)
      : [{ key: `${prefix}${key}`, text: wordsOf(String(value)) }],
  )

const wordsOf = (text: string): string =>
  text
    .replace(/\{\w+, (?:plural|select),/g, ' ')
    .replace(/\{\w+(?:, number)?\}|<\/?\w+>/g, ' ')
    .replace(/[{}]|(?<=\s)(?:one|other|none|=0) (?=\{)/g, ' ')

const messages: Record<Language, Message[]> = { 'zh-CN': messagesIn(zhCN), en: messagesIn(en) }

const document = readFileSync(path.join(import.meta.dirname, '../../../docs/glossary-console.md'), 'utf8')
const glossary = readGlossary(document)

const isSaid = (language: Language, word: string) => messages[language].some(({ text }) => says(text, word))

describe.each(['zh-CN', 'en'] as const)('the glossary of the console in %s', (language) => {
  test('has one row for each term, and refuses none of them elsewhere', () => {
    const terms = glossary.map((entry) => entry.terms[language])
    expect(terms.length).toBeGreaterThanOrEqual(60)
    expect(new Set(terms).size).toBe(terms.length)
    const refused = glossary.flatMap((entry) => entry.refused[language])
    expect(terms.filter((term) => refused.some((word) => says(term, word)))).toEqual([])
  })

  test('holds no term that no message says', () => {
    const terms = glossary.map((entry) => entry.terms[language])
    expect(terms.filter((term) => !isSaid(language, term))).toEqual([])
  })

  test('is kept by every message: none says a word it refuses', () => {
    expect(refusedIn(document, language, messages[language])).toEqual([])
  })
})
