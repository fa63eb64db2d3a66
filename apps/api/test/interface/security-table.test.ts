import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../../', import.meta.url)

/** Where docs/security.md means the tests of each word to lie. */
const folders: Readonly<Record<string, string>> = {
  '': 'apps/api/test/',
  console: 'apps/admin/test/',
  contracts: 'packages/contracts/test/',
  db: 'packages/db/test/',
  server: 'packages/embedded-postgres/test/',
  payments: 'packages/payments/test/',
  browser: 'e2e/journeys/',
}

const read = (path: string) => {
  const url = new URL(path, root)
  return existsSync(url) ? readFileSync(url, 'utf8') : null
}

/** A test as the table names it; `…` stands for what a name is filled with. */
function faultOf(named: string): string | null {
  const {
    place = '',
    file = '',
    name = '',
  } = named.match(/^(?:(?<place>\w+): )?`(?<file>[^`]+)`: (?<name>.+)$/)?.groups ?? {}
  const source = read(`${folders[place]}${file}`)
  if (source === null) return `${named}: there is no such file`
  return source.includes(name.replace(/^… /, '')) ? null : `${named}: there is no such test`
}

test('every test that the table of requirements names exists', () => {
  const rows = (read('docs/security.md') ?? '').split('\n').filter((line) => /^\| \d+\.\d/.test(line))
  const shown = rows.map((row) => row.split('|').at(-2)?.trim() ?? '')
  const named = shown
    .filter((text) => text !== 'no test of its own')
    .flatMap((text) => text.split(/; (?=(?:\w+: )?`)/))
  expect(named.length).toBeGreaterThan(150)
  expect(named.map(faultOf).filter((fault) => fault !== null)).toEqual([])
})
