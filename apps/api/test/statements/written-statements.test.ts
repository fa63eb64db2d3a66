import { beforeAll, describe, expect, test } from 'vitest'
import { moneyStatements } from './money-statements.ts'
import { describedStatements, statementPages } from './statement-pages.ts'
import { formatSql, listStatements, readPages } from './written-statements.ts'

describe('docs/sql', () => {
  let statements: ReadonlyMap<string, string>
  beforeAll(async () => {
    statements = await listStatements()
  })
  test('describes every statement of money once, and none that is gone', () => {
    expect([...describedStatements].sort()).toEqual([...statements.keys()].sort())
  })
  test('says what the statements are; if not, run npm run sql -- --write', () => {
    const [pages, written] = [statementPages(statements), readPages()]
    const stale = [...new Set([...pages.keys(), ...written.keys()])].filter(
      (file) => pages.get(file) !== written.get(file),
    )
    expect(stale, 'run npm run sql -- --write').toEqual([])
  })
})

test('every statement of money has a name of its own', async () => {
  const names = (await moneyStatements()).map(({ name }) => name)
  expect(names.length).toBeGreaterThan(35)
  expect(names.filter((name, index) => name === null || names.indexOf(name) !== index)).toEqual([])
})

test('every part of them reads the parts that it says it needs, and no other', async () => {
  for (const { name, parts } of await moneyStatements())
    for (const part of parts) {
      const reads = (other: string) =>
        new RegExp(`\\b(FROM|JOIN|,) ${other}\\b(?!\\.| IS| =)`).test(part.sql.text.replaceAll(/\s+/g, ' '))
      const others = parts.map((other) => other.name).filter((other) => other !== part.name)
      expect([...new Set<string>(part.needs)].sort(), `${name}: ${part.name}`).toEqual(
        others.filter(reads).sort(),
      )
    }
})

test('a statement is shown with each part on lines of its own, by the depth of its brackets', () => {
  const text = `WITH one AS (SELECT $1::int AS n),\ntwo AS (\n      SELECT n\n        FROM one   WHERE (\n  n > 1))\nSELECT 1 AS done`
  expect(formatSql(text)).toBe(
    'WITH one AS (\n  SELECT $1::int AS n\n),\ntwo AS (\n  SELECT n\n  FROM one WHERE (\n    n > 1)\n)\nSELECT 1 AS done\n',
  )
})
