import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { collectMutants, equivalents, makeNamedMutant, readNamedMutants } from '../collect-mutants.ts'
import { judgesOf } from '../judges.ts'
import { findMoneySources } from '../money-sources.ts'
import { checkout, parseSource } from '../source.ts'

describe('the named mutants', () => {
  test('are at least twenty-five, and the source of each stands once in its file', () => {
    expect(readNamedMutants().length).toBeGreaterThanOrEqual(25)
  })
  test.each(['const other = 1', 'const one = 1; const one = 1'])(
    'are refused where the code reads "%s"',
    (text) => {
      const named = { file: 'one.ts', source: 'one = 1', replacement: 'one = 2', breaks: 'counting' }
      expect(() => makeNamedMutant(parseSource('one.ts', text), named)).toThrow('must hold once')
    },
  )
  test('are of code that is mutated by the operators as well', () => {
    const files = findMoneySources()
    expect(readNamedMutants().filter(({ file }) => !files.includes(file))).toEqual([])
  })
})

test('every equivalent is a mutant that the code still has, once explained', async () => {
  const files = [...new Set(equivalents.map(({ file }) => file))]
  const met = files.length === 0 ? [] : (await collectMutants(files)).equivalents
  expect(equivalents.filter((one) => !met.includes(one))).toEqual([])
  expect(equivalents.filter(({ reason }) => reason.length < 20)).toEqual([])
  const shown = equivalents.map(({ file, before, after }) => `${file} ${before} ${after}`)
  expect(new Set(shown).size).toBe(shown.length)
})

test('every file of the money code has judges, and every judge is there', () => {
  const files = findMoneySources()
  expect(files.length).toBeGreaterThan(70)
  const tests = [...new Set(files.flatMap((file) => judgesOf(file).tests))]
  expect(tests.filter((file) => !existsSync(join(checkout, file)))).toEqual([])
})

test('the mutants of a file have identities of their own', async () => {
  const { mutants } = await collectMutants(['unused-days'])
  expect(mutants.length).toBeGreaterThan(50)
  expect(new Set(mutants.map(({ identity }) => identity)).size).toBe(mutants.length)
})
