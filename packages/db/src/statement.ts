import { EventEmitter } from 'node:events'
import type { Pool, PoolClient, QueryResultRow } from 'pg'
import type { Columns, RowOf } from './columns.ts'
import { Prisma } from './generated/prisma/client.ts'
import { mayPrepare } from './nameless.ts'
import { rememberName } from './trace-statements.ts'

/** A pool, where a statement is a transaction of its own; a client, where it is part of the one under way. */
export type Connection = Pool | PoolClient

/** A relation or an expression, and the parts of the statement that it reads. */
export type Reading<Reads extends string = string> = {
  readonly reads: readonly Reads[]
  readonly sql: Prisma.Sql
}

export const reading = <const Reads extends string>(
  reads: readonly Reads[],
  sql: Prisma.Sql,
): Reading<Reads> => ({ reads, sql })

/** The rows of one part, as they are. */
export const rowsOf = <const Name extends string>(name: Name): Reading<Name> =>
  reading([name], Prisma.raw(name))

/** One `name AS (…)` of a statement: the name it gives to those behind it, and those it needs before it. */
export type Part<Gives extends string = string, Needs extends string = string> = {
  readonly name: Gives
  readonly needs: readonly Needs[]
  readonly sql: Prisma.Sql
  readonly isEffect: boolean
}

/** A part that reads, or that writes a table by itself (INSERT, UPDATE, DELETE … RETURNING). */
export const part = <const Gives extends string, const Needs extends string>(
  name: Gives,
  needs: readonly Needs[],
  sql: Prisma.Sql,
): Part<Gives, Needs> => ({ name, needs, sql, isEffect: false })

/**
 * A part that calls functions which write, such as graphile_worker.add_job: a SELECT to PostgreSQL, which it leaves out
 * where nothing reads it. `statement` sees to it that it is run.
 */
export const effect = <const Gives extends string, const Needs extends string>(
  name: Gives,
  needs: readonly Needs[],
  sql: Prisma.Sql,
): Part<Gives, Needs> => ({ name, needs, sql, isEffect: true })

/** What is wrong with these parts, as a type: `never` where each name is given once and before it is needed. */
type Unsound<Parts, Given extends string = never> = Parts extends readonly [
  Part<infer Gives, infer Needs>,
  ...infer Rest,
]
  ? [Extract<Gives, Given>] extends [never]
    ? [Exclude<Needs, Given>] extends [never]
      ? Unsound<Rest, Given | Gives>
      : `${Gives} needs ${Exclude<Needs, Given>}, which no part before it gives`
    : `two parts give ${Gives}`
  : never

export type Sound<Parts> = [Unsound<Parts>] extends [never] ? unknown : Unsound<Parts>

type Composition<Parts extends readonly Part[], Declared extends Columns> = {
  /** Under which PostgreSQL keeps its plan per connection: always the same text; null for a text that varies. */
  name: string | null
  parts?: Parts & Sound<Parts>
  /** What it answers; nothing where it is left out. */
  select?: Reading<NoInfer<Parts[number]['name']>>
  rows?: Declared
}

/** A statement as it is run: its whole text, the parts of it, and the columns of its rows. */
export type Query<Declared extends Columns = Columns> = {
  readonly name: string | null
  readonly parts: readonly Part[]
  readonly sql: Prisma.Sql
  readonly columns: Declared | undefined
}

const isName = /^[a-z_][a-z0-9_]*$/

/** A name always carries the same text, so that it is looked at once. */
const known = new Set<string | null>()

function requireSound(named: string | null, parts: readonly Part[], select: Reading): void {
  if (named !== null && known.has(named)) return
  const given = new Set<string>()
  const refuse = (what: string) => {
    throw new Error(`statement ${named ?? 'without a name'}: ${what}`)
  }
  for (const { name, needs } of parts) {
    if (!isName.test(name)) refuse(`"${name}" is no name of a part`)
    if (given.has(name)) refuse(`two parts give "${name}"`)
    for (const need of needs)
      if (!given.has(need)) refuse(`part "${name}" needs "${need}", which no part before it gives`)
    given.add(name)
  }
  for (const read of select.reads)
    if (!given.has(read)) refuse(`its select reads "${read}", which no part gives`)
  known.add(named)
}

const answersNothing: Reading<never> = reading([], Prisma.sql`SELECT 1 AS done`)

/**
 * The condition is free of columns, so that PostgreSQL evaluates it once, before the first row: the effects happen even
 * where no row is answered; only a select that is empty by its text (WHERE false) loses them. Counting reads every row of
 * a part, and with it calls its functions.
 */
function withEffects(effects: readonly string[], { sql }: Reading): readonly [string, Prisma.Sql, string] {
  if (effects.length === 0) return ['', sql, '']
  const counted = effects.map((name) => `(SELECT count(*) FROM ${name})`).join(' + ')
  return ['SELECT answer.* FROM (', sql, `) answer\nWHERE ${counted} >= 0`]
}

/**
 * One statement of named parts, in the order given. The types refuse two parts of one name and a name that is needed and
 * not given; what they cannot see (parts that are put together at run time) is refused when it is built.
 * @throws Error that names the statement, the part and the name
 */
export function statement<const Parts extends readonly Part[] = [], Declared extends Columns = Columns>({
  name,
  parts,
  select = answersNothing,
  rows,
}: Composition<Parts, Declared>): Query<Declared> {
  const given: readonly Part[] = parts ?? []
  requireSound(name, given, select)
  const effects = given.flatMap((one) => (one.isEffect ? [one.name] : []))
  const [before, answer, after] = withEffects(effects, select)
  const strings = given.map((one, index) => `${index === 0 ? 'WITH ' : '),\n'}${one.name} AS (`)
  strings.push(`${given.length === 0 ? '' : ')\n'}${before}`, after)
  return {
    name,
    parts: given,
    sql: new Prisma.Sql(strings, [...given.map(({ sql }) => sql), answer]),
    columns: rows,
  }
}

/** A statement that has no parts, only a text. */
export const query = <const Declared extends Columns>(
  name: string | null,
  sql: Prisma.Sql,
  rows?: Declared,
): Query<Declared> => ({ name, parts: [], sql, columns: rows })

/** What was asked and what came back. */
export type Answered = {
  readonly query: Query
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
  readonly rows: readonly QueryResultRow[]
}
/** For the tests, which compare what came back with what is declared. */
export const answers = new EventEmitter<{ answered: [Answered] }>()

/** Runs one statement. Answers its rows, of the columns it declares. */
export async function execute<Declared extends Columns>(
  db: Connection,
  query: Query<Declared>,
): Promise<RowOf<Declared>[]> {
  const { name, sql } = query
  const { text, values } = sql
  const asked = { text, values, ...(name !== null && mayPrepare(db) && { name }) }
  const { rows, fields } = await db.query<RowOf<Declared>>(rememberName(asked, name))
  answers.emit('answered', { query, fields, rows })
  return rows
}
