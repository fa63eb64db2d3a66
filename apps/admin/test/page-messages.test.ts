import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const source = path.join(import.meta.dirname, '../src')

const given = /(?:nouns=\{|nouns: |everywhere = )\[([^\]]*)\]/

/** The nouns of a list in a source; null where it has none. */
function listed(file: string): string[] | null {
  const list =
    file.endsWith('.tsx') && existsSync(file) ? readFileSync(file, 'utf8').match(given)?.[1] : undefined
  const nouns = list?.split(',').map((noun) => noun.trim().replaceAll("'", ''))
  return nouns?.filter((noun) => noun !== '') ?? null
}

const always = listed(path.join(source, 'messages/page-messages.tsx')) ?? []

const imports = /(?:from |import\()'(\.[^']+)'/g
const named = /useTranslations\('(\w+)/g
const whole = /\{ ([\w, ]+) \} = useMessages\(\)|useMessages\(\)\.(\w+)/g

/** The nouns whose words a file takes in the browser, with all that it imports. */
function nounsOf(file: string, seen: Set<string>): string[] {
  if (seen.has(file) || !existsSync(file)) return []
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  const own = [...text.matchAll(named)].map(([, noun = '']) => noun)
  const lists = [...text.matchAll(whole)].flatMap(([, many, one]) => (many ?? one ?? '').split(', '))
  const below = [...text.matchAll(imports)].flatMap(([, to = '']) =>
    nounsOf(path.join(path.dirname(file), to), seen),
  )
  return [...own, ...lists, ...below]
}

/** The nouns that a page, or else the nearest layout, hands to the browser: they replace what those above gave. */
function handedTo(file: string): string[] {
  const nouns = listed(file)
  if (nouns) return nouns
  const folder = path.dirname(file)
  if (folder === path.join(source, 'app')) return []
  const layout = path.join(folder, 'layout.tsx')
  return file === layout ? handedTo(folder) : handedTo(existsSync(layout) ? layout : folder)
}

test('every page and every frame is handed the words it shows', () => {
  const files = readdirSync(path.join(source, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:page|layout|loading|error|not-found)\.tsx$/.test(name))
    .map((name) => path.join(source, 'app', name))
  expect(files.length).toBeGreaterThan(40)
  const missing = files.flatMap((file) => {
    const handed = [...always, ...handedTo(file)]
    const wanted = [...new Set(nounsOf(file, new Set()))].filter((noun) => !handed.includes(noun))
    return wanted.map((noun) => `${path.relative(source, file)}: ${noun}`)
  })
  expect(missing).toEqual([])
})

test('no page is handed words that it does not show', () => {
  const pages = readdirSync(path.join(source, 'app/(console)'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('page.tsx'))
    .map((name) => path.join(source, 'app/(console)', name))
  expect(pages.length).toBeGreaterThan(30)
  const idle = pages.flatMap((file) => {
    const shown = nounsOf(file, new Set())
    const unseen = (listed(file) ?? ['no list of its own']).filter((noun) => !shown.includes(noun))
    return unseen.map((noun) => `${path.relative(source, file)}: ${noun}`)
  })
  expect(idle).toEqual([])
})
