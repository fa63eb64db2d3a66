import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { addresses } from '../src/addresses.ts'
import { developerAddresses } from '../src/developer-addresses.ts'

const source = path.join(import.meta.dirname, '../src')
const filesOf = (folder: string) =>
  readdirSync(path.join(source, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => path.join(folder, name))
    .sort()
const textOf = (file: string) => readFileSync(path.join(source, file), 'utf8')
const linesOf = (file: string) => textOf(file).split('\n').length - 1

/** The files that define a list's page. */
const definitions = filesOf('features').filter((file) => textOf(file).includes('= defineList('))
const routes = filesOf('app/(console)')

describe('a route of the console', () => {
  test('is its page alone: what waits, fails or is missing is shown by its group', () => {
    const beside = routes.filter((file) => path.basename(file) !== 'page.tsx')
    expect(beside).toEqual([
      'app/(console)/(details)/loading.tsx',
      'app/(console)/(details)/not-found.tsx',
      'app/(console)/(sections)/loading.tsx',
      'app/(console)/error.tsx',
      'app/(console)/layout.tsx',
    ])
  })
})

describe('the page of a list', () => {
  test('is a definition of 150 lines at most, orders with their many filters of 200, and a route of 30', () => {
    expect(definitions.length).toBeGreaterThan(8)
    const most = (file: string) => (file.endsWith('order-list.tsx') ? 200 : 150)
    const pages = routes.filter((file) => /= listPage\(/.test(textOf(file)))
    expect(pages.length).toBeGreaterThan(11)
    expect(definitions.filter((file) => linesOf(file) > most(file))).toEqual([])
    expect(pages.filter((file) => linesOf(file) > 30)).toEqual([])
  })

  test('reads on the server what its address asks for', () => {
    const read = routes.map(textOf).join('\n')
    // Messages of alert channels and deliveries of an endpoint are a panel of a page that watches them.
    const panels = ['alertMessages', 'webhookDeliveries']
    const lists = [
      ...Object.keys(addresses).map((name) => ({ name, of: 'addresses' })),
      ...Object.keys(developerAddresses).map((name) => ({ name, of: 'developerAddresses' })),
    ].filter(({ name }) => !panels.includes(name))
    expect(lists.filter(({ name, of }) => !read.includes(`listPage(${of}.${name}, `))).toEqual([])
  })

  test('is the only one that keeps its columns under its name', () => {
    const names = filesOf('features')
      .filter((file) => textOf(file).includes('useColumns'))
      .flatMap((file) => [...textOf(file).matchAll(/^ {2}name: '([\w-]+)',$/gm)].map(([, name]) => name))
    expect(names).toHaveLength(new Set(names).size)
    expect(names.length).toBeGreaterThan(14)
  })
})

describe('an address', () => {
  test.each(Object.entries({ ...addresses, ...developerAddresses }))(
    'of %s asks for the first page when it says nothing',
    async (_, address) => {
      const { load, path: pathOf, usualRows } = address
      const query = await load(Promise.resolve({}))
      expect(query).toMatchObject({ limit: usualRows, cursor: null })
      expect(pathOf()).not.toContain('?')
    },
  )
})
