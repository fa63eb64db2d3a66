import { describe, expect, test } from 'vitest'
import { makeTypescriptMutants } from '../make-typescript-mutants.ts'
import { applyMutant, type Mutant, parseSource } from '../source.ts'
import { makeSqlMutants } from '../sql/make-sql-mutants.ts'

/** What becomes of one template, by the operators of this name. */
function mutated(sql: string, operator: string): string[] {
  const source = parseSource('one.ts', `const one = sql\`${sql}\``)
  return makeSqlMutants(source)
    .filter((mutant) => mutant.operator === `sql ${operator}`)
    .map((mutant) => /`(.*)`/s.exec(applyMutant(source, mutant))?.[1] ?? '')
}

describe('SQL', () => {
  test('a comparison is turned and its bound moved, an assignment is left', () => {
    expect(mutated('SELECT a < b', 'comparison')).toEqual(['SELECT a <= b', 'SELECT a > b'])
    expect(mutated('UPDATE t SET a = 1, b = 2 WHERE id = 3', 'comparison')).toEqual([
      'UPDATE t SET a = 1, b = 2 WHERE id <> 3',
    ])
    expect(mutated('a = 1, b = CASE WHEN c = 2 THEN 3 END', 'comparison')).toEqual([
      'a = 1, b = CASE WHEN c <> 2 THEN 3 END',
    ])
  })
  test('a condition of a chain is left out, alternatives as not met, the AND of a BETWEEN is none', () => {
    const where = 'SELECT x WHERE a AND b BETWEEN 1 AND 2 AND (c OR d)'
    expect(mutated(where, 'condition')).toEqual([
      'SELECT x WHERE TRUE AND b BETWEEN 1 AND 2 AND (c OR d)',
      'SELECT x WHERE a AND TRUE AND (c OR d)',
      'SELECT x WHERE a AND b BETWEEN 1 AND 2 AND TRUE',
      'SELECT x WHERE a AND b BETWEEN 1 AND 2 AND (FALSE OR d)',
      'SELECT x WHERE a AND b BETWEEN 1 AND 2 AND (c OR FALSE)',
    ])
    expect(mutated(where, 'link')).toEqual([
      'SELECT x WHERE a OR b BETWEEN 1 AND 2 AND (c OR d)',
      'SELECT x WHERE a AND b BETWEEN 1 AND 2 OR (c OR d)',
      'SELECT x WHERE a AND b BETWEEN 1 AND 2 AND (c AND d)',
    ])
    expect(mutated('SELECT CASE WHEN a AND b THEN c END', 'condition')).toEqual([
      'SELECT CASE WHEN TRUE AND b THEN c END',
      'SELECT CASE WHEN a AND TRUE THEN c END',
    ])
  })
  test('signs between values are turned, one before a value is gone, a star of columns is left', () => {
    expect(mutated('SELECT count(*), -a + b, t.* FROM t', 'sign')).toEqual([
      'SELECT count(*), a + b, t.* FROM t',
      'SELECT count(*), -a - b, t.* FROM t',
    ])
  })
  test('numbers are one more and one less, in intervals too', () => {
    expect(mutated("SELECT 1 WHERE a > now - interval '365 days' LIMIT 5", 'number')).toEqual([
      "SELECT 1 WHERE a > now - interval '366 days' LIMIT 5",
      "SELECT 1 WHERE a > now - interval '364 days' LIMIT 5",
      "SELECT 1 WHERE a > now - interval '365 days' LIMIT 6",
      "SELECT 1 WHERE a > now - interval '365 days' LIMIT 4",
    ])
  })
  test('what is denied is said, and what is said is denied', () => {
    expect(mutated('SELECT a IS NULL, b IS NOT NULL, NOT c, EXISTS (d), e IN (f)', 'negation')).toEqual([
      'SELECT a IS NOT NULL, b IS NOT NULL, NOT c, EXISTS (d), e IN (f)',
      'SELECT a IS NULL, b IS NULL, NOT c, EXISTS (d), e IN (f)',
      'SELECT a IS NULL, b IS NOT NULL, c, EXISTS (d), e IN (f)',
      'SELECT a IS NULL, b IS NOT NULL, NOT c, NOT EXISTS (d), e IN (f)',
      'SELECT a IS NULL, b IS NOT NULL, NOT c, EXISTS (d), e NOT IN (f)',
    ])
    expect(mutated('SELECT greatest(a, least(b, false))', 'word')).toEqual([
      'SELECT least(a, least(b, false))',
      'SELECT greatest(a, greatest(b, false))',
      'SELECT greatest(a, least(b, true))',
    ])
  })
  test('columns are swapped with others of their kind alone', () => {
    expect(mutated('SELECT o.paid_at, o.closed_at, o.status, r.days', 'column')).toEqual([
      'SELECT o.closed_at, o.closed_at, o.status, r.days',
      'SELECT o.paid_at, o.paid_at, o.status, r.days',
    ])
    expect(mutated('INSERT INTO t (paid_at, closed_at, status) SELECT a, b, c', 'inserted column')).toEqual([
      'INSERT INTO t (closed_at, paid_at, status) SELECT a, b, c',
    ])
  })
  test('what stands between two pieces of SQL is left whole, and its own SQL is read apart', () => {
    const text = (outer: string, inner: string) =>
      `const one = sql\`a ${outer} \${b === 1 ? sql\`c ${inner} 2\` : null} AND d\``
    const source = parseSource('one.ts', text('=', '<'))
    const comparisons = makeSqlMutants(source).filter(({ operator }) => operator === 'sql comparison')
    expect(comparisons.map((mutant) => applyMutant(source, mutant))).toEqual([
      text('<>', '<'),
      text('=', '<='),
      text('=', '>'),
    ])
  })
})

test('TypeScript is changed by the mutators of Stryker, and no SQL and no text is emptied', async () => {
  const source = parseSource('one.ts', 'export const one = (a: number) => (a > 1 ? sql`b` : "c")')
  const texts = (await makeTypescriptMutants(source)).map((mutant: Mutant) => applyMutant(source, mutant))
  expect(texts).toContain('export const one = (a: number) => (a >= 1 ? sql`b` : "c")')
  expect(texts).toContain('export const one = (a: number) => (true ? sql`b` : "c")')
  expect(texts.every((text) => text.includes('sql`b`') && text.includes('"c"'))).toBe(true)
})
