import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readGlossary } from '@meridian/contracts/testing'
import { describe, expect, test } from 'vitest'
import { anchorOf, codeOf, type Page, readPage, root, spansOf, targetsOf, wordsOf } from './read-page.ts'

const isThere = (file: string) => existsSync(new URL(file, root))
const chineseOf = (file: string) => file.replace(/\.md$/, '.zh-CN.md')
const isChinese = (file: string) => file.endsWith('.zh-CN.md')

/** Where a link of a page leads, from the root of the repository. */
const fileOf = ({ path: from }: Page, target: string) =>
  path.posix.normalize(path.posix.join(path.posix.dirname(from), target.replace(/#.*$/, '')))

const isLocal = (target: string) => !/^https?:/.test(target)

/** The pages that have two languages: those docs/README.md names, all but its last part, how one gets there, the runbook. */
const entry = readPage('docs/README.md')
const named = entry.sections.slice(0, -1).flatMap((section) => targetsOf(section).filter(isLocal))
const runbook = readdirSync(new URL('docs/runbook/', root))
  .filter((file) => file.endsWith('.md') && !isChinese(file))
  .map((file) => `docs/runbook/${file}`)
const originals = [
  ...new Set(['README.md', entry.path, ...named.map((target) => fileOf(entry, target)), ...runbook]),
]

/** What a link means in both languages: a page by its original, a heading by its place, a picture without its language. */
function meaningOf(page: Page, target: string): string {
  if (!isLocal(target)) return target
  const [, anchor] = target.split('#')
  const file = fileOf(page, target)
  const original = file.replace('.zh-CN.md', '.md')
  const isOurs = isChinese(file) === (isChinese(page.path) && originals.includes(original))
  const meant = original.replace(isChinese(page.path) ? '-zh-CN-light.png' : '-en-dark.png', '.png')
  return `${meant}${anchor === undefined ? '' : placeOf(file, anchor)}${isOurs ? '' : ' in the other language'}`
}

function placeOf(file: string, anchor: string): string {
  const place = readPage(file).sections.findIndex(({ heading }) => anchorOf(heading) === decodeURI(anchor))
  return place < 0 ? ' without such a heading' : `#${place}`
}

/** The words that docs/glossary-console.md refuses in Chinese; `=word` is refused as a whole label only. */
const refusedWords = readGlossary(readFileSync(new URL('docs/glossary-console.md', root), 'utf8'))
  .flatMap(({ refused }) => refused['zh-CN'])
  .filter((word) => !word.startsWith('='))

test('the pages for operators and integrators, and no others, are there in both languages', () => {
  expect(originals.length).toBeGreaterThan(10)
  expect(originals.filter((file) => !isThere(file) || !isThere(chineseOf(file)))).toEqual([])
  const folders = [...new Set(originals.map((file) => path.posix.dirname(file)))]
  const translations = folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root))
      .filter(isChinese)
      .map((file) => path.posix.join(folder, file)),
  )
  expect(translations.sort()).toEqual(originals.map(chineseOf).sort())
})

describe.each(originals.filter((file) => isThere(chineseOf(file))))('%s in both languages', (file) => {
  const english = readPage(file)
  const chinese = readPage(chineseOf(file))
  const bySection = <T>(read: (page: Page, section: Page['sections'][number]) => T) => ({
    english: english.sections.map((section) => read(english, section)),
    chinese: chinese.sections.map((section) => read(chinese, section)),
  })

  test('leads to the other language at its top', () => {
    const name = path.posix.basename(file)
    expect(english.switchLine).toBe(`English | [简体中文](${chineseOf(name)})`)
    expect(chinese.switchLine).toBe(`[English](${name}) | 简体中文`)
  })

  test('has the same headings: as many, of the same levels', () => {
    const levels = bySection((_, { level }) => level)
    expect(levels.chinese).toEqual(levels.english)
  })

  test('has the same commands in its blocks of code', () => {
    const blocks = bySection((_, section) =>
      section.blocks.map((block) => ({ language: block.language, code: codeOf(block) })),
    )
    expect(blocks.chinese).toEqual(blocks.english)
  })

  test('has the same settings, paths, commands and codes in each section', () => {
    const spans = bySection((_, section) => spansOf(section))
    expect(spans.chinese).toEqual(spans.english)
  })

  test('has the same links in each section, each to a page of its own language', () => {
    const links = bySection((page, section) =>
      targetsOf(section)
        .map((target) => meaningOf(page, target))
        .sort(),
    )
    expect(links.chinese).toEqual(links.english)
    expect(links.english.flat().filter((link) => / in the other language| without /.test(link))).toEqual([])
  })

  test('links to files that are there', () => {
    const files = [english, chinese].flatMap((page) =>
      page.sections.flatMap((section) =>
        targetsOf(section)
          .filter(isLocal)
          .map((target) => fileOf(page, target)),
      ),
    )
    expect(files.filter((linked) => !isThere(linked))).toEqual([])
  })

  test('is written in Chinese in every section, and in the words of the console', () => {
    const words = chinese.sections.map(wordsOf)
    expect(words.filter((text) => !/\p{Script=Han}{2}/u.test(text))).toEqual([])
    expect(refusedWords.filter((word) => words.some((text) => text.includes(word)))).toEqual([])
  })

  test('sets Chinese as the console does: a space beside Latin letters and digits, no half-width punctuation', () => {
    const faults = chinese.sections.flatMap((section) => [
      ...wordsOf(section).matchAll(/.{0,9}(?:\p{Script=Han}[\w,;:!?(]|[\w,;:!?)]\p{Script=Han}).{0,9}/gu),
    ])
    expect(faults.map(([fault]) => fault)).toEqual([])
  })
})
