import { describe, expect, expectTypeOf, test } from 'vitest'
import { column, compareColumns, json, nullable, oneOf } from '../src/columns.ts'
import { openDatabase, Prisma } from '../src/index.ts'
import {
  answers,
  effect,
  execute,
  type Part,
  part,
  query,
  reading,
  rowsOf,
  type Sound,
  statement,
} from '../src/statement.ts'
import { cloneDatabase } from '../src/testing/index.ts'

const { sql } = Prisma

const one = part('one', [], sql`SELECT ${1}::int AS n`)
const two = part('two', ['one'], sql`SELECT n + ${1}::int AS n FROM one`)

describe('the parts of a statement', () => {
  test('become one text with its values in their order', () => {
    const { sql: composed } = statement({
      name: 'three',
      parts: [one, two],
      select: reading(['two'], sql`SELECT n + ${2}::int AS n FROM two`),
    })
    expect(composed.text).toBe(
      'WITH one AS (SELECT $1::int AS n),\ntwo AS (SELECT n + $2::int AS n FROM one)\nSELECT n + $3::int AS n FROM two',
    )
    expect(composed.values).toEqual([1, 1, 2])
  })
  test('need nothing to be selected', () => {
    expect(statement({ name: 'quiet', parts: [one] }).sql.text).toBe(
      'WITH one AS (SELECT $1::int AS n)\nSELECT 1 AS done',
    )
  })
  test('are refused by the compiler where two give one name or a name is needed before it is given', () => {
    expectTypeOf<Sound<readonly [typeof one, typeof two]>>().toEqualTypeOf<unknown>()
    expectTypeOf<
      Sound<readonly [typeof two, typeof one]>
    >().toEqualTypeOf<'two needs one, which no part before it gives'>()
    expectTypeOf<Sound<readonly [typeof one, typeof one]>>().toEqualTypeOf<'two parts give one'>()
  })
  const built = (...parts: Part[]) => statement({ name: 'built', parts })
  test('are refused when they are put together, with the statement, the part and the name', () => {
    expect(() => built(one, one)).toThrow('statement built: two parts give "one"')
    expect(() => built(two, one)).toThrow(
      'statement built: part "two" needs "one", which no part before it gives',
    )
    expect(() => built(part('no name', [], sql`SELECT 1`))).toThrow('"no name" is no name of a part')
    const parts: Part[] = [one]
    expect(() => statement({ name: 'built', parts, select: rowsOf('two') })).toThrow(
      'statement built: its select reads "two", which no part gives',
    )
  })
})

async function openClone() {
  const clone = await cloneDatabase()
  const database = openDatabase(clone.databaseUrl)
  return {
    pool: database.pool,
    async [Symbol.asyncDispose]() {
      await database.close()
      await clone.drop()
    },
  }
}

test('an effect happens for each of its rows, and also where the statement answers none', async () => {
  await using clone = await openClone()
  await clone.pool.query('CREATE SEQUENCE told')
  const told = effect('told_twice', [], sql`SELECT nextval('told') FROM generate_series(1, 2)`)
  const once = effect('told_once', [], sql`SELECT nextval('told')`)
  const nobody = reading([], sql`SELECT id FROM users WHERE openid = 'nobody'`)
  const rows = await execute(clone.pool, statement({ name: 'tell', parts: [told, once], select: nobody }))
  expect(rows).toEqual([])
  const [count] = await execute(clone.pool, query(null, sql`SELECT last_value FROM told`))
  expect(count).toEqual({ last_value: 3n })
})

test('what a statement answers is told with what it declares', async () => {
  await using clone = await openClone()
  const heard: unknown[] = []
  const hear = (message: unknown) => heard.push(message)
  answers.on('answered', hear)
  const now = query('now', sql`SELECT business_now() AS now`, { now: column.instant })
  await execute(clone.pool, now)
  answers.off('answered', hear)
  await execute(clone.pool, now)
  expect(heard).toMatchObject([{ query: now, fields: [{ name: 'now', dataTypeID: 1184 }] }])
})

describe('the columns of a row', () => {
  const declared = { id: column.bigint, state: nullable(oneOf(['open', 'closed'])) }
  const id = { name: 'id', dataTypeID: 20 }
  const state = { name: 'state', dataTypeID: 25 }
  test('fit what the server describes', () => {
    expect(compareColumns(declared, [id, state], [{ id: 1n, state: null }])).toEqual([])
  })
  test('are refused by another name', () => {
    expect(compareColumns(declared, [id, { ...state, name: 'status' }], [])).toEqual([
      '"state" is declared and not there',
      '"status" is not declared',
    ])
  })
  test('are refused with another type', () => {
    expect(compareColumns(declared, [{ ...id, dataTypeID: 23 }, state], [])).toEqual([
      '"id" is declared int8 and has type 23',
    ])
  })
  test('are refused with a value that they may not hold', () => {
    expect(compareColumns(declared, [id, state], [{ id: 1n, state: 'ajar' }])).toEqual([
      '"state" is declared open | closed or null and holds ajar',
    ])
    const never = json({ safeParse: () => ({ success: false }) })
    expect(compareColumns({ a: never }, [{ name: 'a', dataTypeID: 3802 }], [{ a: 'x' }])).toEqual([
      '"a" is declared json and holds x',
    ])
  })
})
