import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { en } from '../src/messages/en/index.ts'
import { zhCN } from '../src/messages/zh-CN/index.ts'

type Language = 'zh-CN' | 'en'
type Message = { key: string; text: string }
type Entry = { terms: Record<Language, string>; refused: Record<Language, string[]> }

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

/** The rows of the table in the glossary. */
const glossary: Entry[] = readFileSync(
  path.join(import.meta.dirname, '../../../docs/glossary-console.md'),
  'utf8',
)
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:zh-CN|-+) /.test(line))
  .map((line) => {
    const [chinese = '', english = '', , unwanted = ''] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    const refused = [...unwanted.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
    const isChinese = (word: string) => /\p{Script=Han}/u.test(word)
    return {
      terms: { 'zh-CN': chinese, en: english },
      refused: {
        'zh-CN': refused.filter(isChinese),
        en: refused.filter((word) => !isChinese(word)),
      },
    }
  })

/** Whether a text says the word: `=word` as all it says, an English one not as a part of another. */
function says(text: string, word: string): boolean {
  if (word.startsWith('=')) return text === word.slice(1)
  if (/\p{Script=Han}/u.test(word)) return text.includes(word)
  const at = text.toLowerCase().search(new RegExp(`\\b${word.toLowerCase().replace(/[^\w ]/g, '\\$&')}`))
  return at >= 0
}

const sayings = (language: Language, word: string) =>
  messages[language]
    .filter(({ text }) => says(text, word))
    .map(({ key, text }) => `“${word}” in ${language} ${key}: ${text}`)

describe.each(['zh-CN', 'en'] as const)('the glossary of the console in %s', (language) => {
  test('has one row for each term, and refuses none of them elsewhere', () => {
    const terms = glossary.map((entry) => entry.terms[language])
    expect(terms.length).toBeGreaterThan(50)
    expect(new Set(terms).size).toBe(terms.length)
    const refused = glossary.flatMap((entry) => entry.refused[language])
    expect(terms.filter((term) => refused.some((word) => says(term, word)))).toEqual([])
  })

  test('holds no term that no message says', () => {
    const terms = glossary.map((entry) => entry.terms[language])
    expect(terms.filter((term) => sayings(language, term).length === 0)).toEqual([])
  })

  test('is kept by every message: none says a word it refuses', () => {
    const refused = glossary.flatMap((entry) => entry.refused[language])
    expect(refused.flatMap((word) => sayings(language, word))).toEqual([])
  })
})
