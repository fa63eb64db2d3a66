import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import * as contracts from '../src/index.ts'
import { reportMember } from '../src/report-words.ts'
import { refusedIn } from '../src/testing/read-glossary.ts'

const glossary = readFileSync(path.join(import.meta.dirname, '../../../docs/glossary-console.md'), 'utf8')

/** Problems of signing in on a phone and of what its system sells: no operator reads them. */
const ofPhones: readonly string[] = ['invalid_login_code', 'login_not_configured', 'sale_not_allowed']

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** What stands in one language in whatever is told in both, each text by where it stands. */
function textsIn(value: unknown, language: 'zh' | 'en', key = ''): { key: string; text: string }[] {
  if (typeof value === 'string') return [{ key, text: value }]
  if (!isRecord(value) || '_zod' in value) return []
  const told = 'zh' in value && 'en' in value ? [['', value[language]] as const] : Object.entries(value)
  return told.flatMap(([name, part]) =>
    name === '' || isRecord(part) || key.includes('#')
      ? textsIn(part, language, name === '' ? `${key}#` : `${key}.${name}`)
      : [],
  )
}

const words = Object.entries(contracts).filter(([name]) => /Words$|^problems$|Names$/.test(name))

describe.each([
  ['zh', 'zh-CN'],
  ['en', 'en'],
] as const)('what the contracts call things in %s', (language, inGlossary) => {
  test('says no word that the glossary of the console refuses', () => {
    const texts = words
      .flatMap(([name, value]) => textsIn(value, language, name))
      .filter(({ key }) => !ofPhones.some((code) => key.includes(`.${code}#`)))
    expect(texts.length).toBeGreaterThan(250)
    expect(refusedIn(glossary, inGlossary, texts)).toEqual([])
  })

  test('names the members of a report in its terms', () => {
    const members = ['program', 'ended', 'treated', 'duration'].map((name) => ({
      key: name,
      text: reportMember(name, language),
    }))
    expect(refusedIn(glossary, inGlossary, members)).toEqual([])
  })
})
