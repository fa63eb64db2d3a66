import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { chooseMutants, shareOf } from '../choose-mutants.ts'
import { type Found, judgeMutants } from '../judge-mutants.ts'
import { openJudged } from '../judged.ts'
import type { Lane, Verdict } from '../open-lane.ts'
import { sumUp } from '../report.ts'
import { identityOf, type Mutant, parseSource } from '../source.ts'

const folder = mkdtempSync(join(tmpdir(), 'meridian-mutants-'))
afterAll(() => rmSync(folder, { recursive: true }))

const code = `const before = 1
const sum = (a: number, b: number) => a + b`
const plus = (text: string): Mutant => {
  const start = text.lastIndexOf('+')
  return { file: 'sum.ts', group: 'sql', operator: 'sign', start, end: start + 1, replacement: '-' }
}
const source = parseSource('sum.ts', code)

describe('the identity of a mutant', () => {
  const identity = identityOf(source, plus(code))
  test('is that of its statement, wherever it stands in the file', () => {
    const moved = `// more\n${code.replace('before = 1', 'before = 2')}`
    expect(identityOf(parseSource('sum.ts', moved), plus(moved))).toBe(identity)
  })
  test('is another one where the statement, the place or the replacement is', () => {
    const changed = code.replace('a: number', 'a: bigint')
    expect(identityOf(parseSource('sum.ts', changed), plus(changed))).not.toBe(identity)
    expect(identityOf(source, { ...plus(code), replacement: '*' })).not.toBe(identity)
    expect(identityOf(source, { ...plus(code), end: plus(code).end + 1 })).not.toBe(identity)
  })
})

describe('the mutants of a run', () => {
  const mutants = Array.from({ length: 4000 }, (_, index) => {
    const identity = identityOf(source, { ...plus(code), replacement: String(index) })
    return { identity, group: 'sql' as const, file: 'sum.ts' }
  })
  test('are one in so many, the same ones each time', () => {
    const choice = { isNarrow: false, oneIn: 4, sample: 0 }
    const chosen = chooseMutants(mutants, choice)
    expect(chosen.length).toBeGreaterThan(800)
    expect(chosen.length).toBeLessThan(1200)
    expect(chooseMutants(mutants.toReversed(), choice)).toEqual(chosen)
  })
  test('of all samples together are all mutants, each once', () => {
    const samples = [0, 1, 2, 3].map((sample) =>
      chooseMutants(mutants, { isNarrow: false, oneIn: 4, sample }),
    )
    expect(new Set(samples.flat())).toEqual(new Set(mutants))
    expect(samples.flat()).toHaveLength(mutants.length)
  })
  test('come in an order without relation to where they stand, so that a run cut short is a fair sample', () => {
    const [first, second] = [0, 1].map((half) => new Set(mutants.slice(half * 2000, half * 2000 + 2000)))
    const judged = chooseMutants(mutants, { isNarrow: false, oneIn: 1, sample: 0 }).slice(0, 1000)
    for (const half of [first, second])
      expect(judged.filter((one) => half?.has(one)).length).toBeGreaterThan(400)
  })
  test('are some sixty of a file that is asked for by name, and all of the named ones', () => {
    expect(shareOf({ group: 'sql', file: 'sum.ts' }, 120, { isNarrow: true, oneIn: 0 })).toBe(2)
    expect(shareOf({ group: 'sql', file: 'sum.ts' }, 40, { isNarrow: true, oneIn: 0 })).toBe(1)
    expect(shareOf({ group: 'named', file: 'sum.ts' }, 400, { isNarrow: false, oneIn: 9 })).toBe(1)
  })
})

describe('a run that is ended', () => {
  const judges = { workspace: '.', tests: ['one.test.ts', 'two.test.ts'] }
  const texts = new Map([
    ['one.test.ts', 'one'],
    ['two.test.ts', 'two'],
  ])
  const textOf = (file: string) => texts.get(file) ?? ''
  const cases = ['-', '*', '/'].map((replacement) => {
    const mutant = { ...plus(code), replacement }
    return { mutant, source, identity: identityOf(source, mutant), judges }
  })
  /** Notices every change but the division, and asks nobody. */
  const asked: string[] = []
  const lane: Lane = {
    ask: async ({ change }): Promise<Verdict> => {
      if (change) asked.push(change.text)
      return change && !change.text.includes('/')
        ? { failed: { file: 'one.test.ts', test: 'adds', said: 'no' } }
        : { failed: null }
    },
    close: () => undefined,
  }
  const path = join(folder, 'judged.jsonl')
  const judge = async (some: typeof cases) => {
    const found: Found[] = []
    const judged = openJudged(path, textOf)
    const isOver = () => false
    await judgeMutants([lane], some, { judged, textOf, isOver, onFound: (one) => found.push(one) })
    return found
  }
  const known = () => {
    const judged = openJudged(path, textOf)
    return cases.map(({ identity }) => judged.find(identity, judges)?.verdict ?? null)
  }

  test('is gone on with by the next one, whatever was half written', async () => {
    await judge(cases.slice(0, 2))
    appendFileSync(path, '\n{"identity":"half wri')
    expect(known()).toEqual(['killed', 'killed', null])
    const found = await judge(cases.slice(2))
    expect(known()).toEqual(['killed', 'killed', 'living'])
    expect(asked).toHaveLength(3)
    expect(sumUp(found)).toMatchObject({ killed: 0, share: 0, passed: false })
  })
  test('asks the test that noticed the last change of a file first', async () => {
    const orders: (readonly string[])[] = []
    const second: Lane = {
      ask: async ({ tests, change }): Promise<Verdict> => {
        if (change) orders.push(tests)
        return { failed: change ? { file: 'two.test.ts', test: 'adds', said: 'no' } : null }
      },
      close: () => undefined,
    }
    const judged = openJudged(join(folder, 'in-order.jsonl'), textOf)
    await judgeMutants([second], cases, { judged, textOf, isOver: () => false, onFound: () => undefined })
    expect(orders).toEqual([
      ['one.test.ts', 'two.test.ts'],
      ['two.test.ts', 'one.test.ts'],
      ['two.test.ts', 'one.test.ts'],
    ])
  })
  test('is believed as long as the tests that it rests on read as they did', () => {
    texts.set('two.test.ts', 'two, but better')
    expect(known()).toEqual(['killed', 'killed', null])
    texts.set('one.test.ts', 'one, but worse')
    expect(known()).toEqual([null, null, null])
  })
})
