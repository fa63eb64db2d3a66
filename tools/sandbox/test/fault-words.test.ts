import { en } from '@meridian/admin/messages/en'
import { zhCN } from '@meridian/admin/messages/zh-CN'
import { problems } from '@meridian/contracts'
import { faultKinds } from '@meridian/payments/testing'
import { describe, expect, test } from 'vitest'
import * as care from '../src/phone/care-words.ts'
import { virtualFaults } from '../src/phone/fault-switches.ts'
import { faultWords } from '../src/phone/fault-words.ts'
import * as virtual from '../src/phone/virtual-words.ts'
import * as shop from '../src/phone/words.ts'

const textsOf = (texts: object): string[] =>
  Object.values(texts).flatMap((value: unknown) =>
    typeof value === 'object' && value !== null ? textsOf(value) : [String(value)],
  )

const quotesIn = (sentence: string): string[] =>
  [...sentence.matchAll(/“([^”]*)”/g)].map(([, quoted = '']) => quoted)

const switches = [...faultKinds, ...virtualFaults]

const languages = [
  {
    language: 'zh-CN',
    console: textsOf(zhCN),
    phone: [
      ...textsOf(shop.zh),
      ...textsOf(care.zh),
      ...textsOf(virtual.zh),
      ...Object.values(problems).map(({ zh }) => zh),
    ],
  },
  {
    language: 'en',
    console: textsOf(en),
    phone: [
      ...textsOf(shop.en),
      ...textsOf(care.en),
      ...textsOf(virtual.en),
      ...Object.values(problems).map(({ en }) => en),
    ],
  },
] as const

describe.each(languages)('the words on faults in $language', ({ language, console, phone }) => {
  const faults = Object.entries(faultWords[language])

  test('are there for every fault of the platform: its name, and what one then sees in both places', () => {
    expect(faults.map(([kind]) => kind).sort()).toEqual([...switches].sort())
    expect(
      faults.flatMap(([, words]) => Object.values(words)).filter((words) => words.trim() === ''),
    ).toEqual([])
    expect(new Set(faults.map(([, { name }]) => name)).size).toBe(switches.length)
  })

  test('name pages, statuses and alerts as the console does', () => {
    const quotes = faults.flatMap(([, words]) => quotesIn(words.console))
    expect(quotes.length).toBeGreaterThan(switches.length)
    expect(quotes.filter((quoted) => !console.includes(quoted))).toEqual([])
  })

  test('say what the phone shows in its own words', () => {
    const quotes = faults.flatMap(([, words]) => quotesIn(words.phone))
    expect(quotes.filter((quoted) => !phone.includes(quoted))).toEqual([])
  })
})
