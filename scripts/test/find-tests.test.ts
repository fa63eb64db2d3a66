import { describe, expect, test } from 'vitest'
import { listTests, selectTests, selectTitled } from '../find-tests.mjs'

const tests = listTests()
const pathsOf = (words: string[]) =>
  selectTests(words, tests).flatMap(({ folder, paths }) => paths.map((path) => `${folder}/${path}`))

describe('npm test -- <words>', () => {
  test('a path to a test is that file, with the runner it needs', () => {
    expect(selectTests(['packages/contracts/test/money.test.ts'], tests)).toEqual([
      { folder: 'packages/contracts', runner: 'vitest', paths: ['test/money.test.ts'], title: undefined },
    ])
    expect(selectTests(['e2e/journeys/sign-in.e2e.ts'], tests)).toEqual([
      { folder: 'e2e', runner: 'playwright', paths: ['journeys/sign-in.e2e.ts'], title: undefined },
    ])
  })
  test('a folder is all tests below it', () => {
    const found = pathsOf(['packages/contracts'])
    expect(found).toContain('packages/contracts/test/moves.test.ts')
    expect(found.every((path) => path.startsWith('packages/contracts/'))).toBe(true)
  })
  test('a name is every file whose name contains it, each once', () => {
    const found = pathsOf(['money', 'packages/contracts/test/money.test.ts'])
    expect(found).toContain('packages/contracts/test/money.test.ts')
    expect(found).toContain('e2e/journeys/money.e2e.ts')
    expect(new Set(found).size).toBe(found.length)
  })
  test('a name of no file is looked for in the titles', () => {
    const title = 'a paid order never goes back'
    expect(selectTests([title], tests)).toContainEqual({
      folder: 'packages/contracts',
      runner: 'vitest',
      paths: ['test/moves.test.ts'],
      title,
    })
  })
  test('a title is looked for in titles, be it the name of a file as well', () => {
    expect(selectTitled('a paid order never', tests).map(({ title }) => title)).toContain(
      'a paid order never',
    )
  })
  test('what is no test, and what is not found, is said', () => {
    expect(() => selectTests(['packages/contracts/src/money.ts'], tests)).toThrow('is no test and holds none')
    expect(() => selectTests([`no such thing ${'at all'}`], tests)).toThrow('Nothing found')
  })
})
