import { EXACT_COUNT_LIMIT, type RowCount, type TwoWayPage } from '@meridian/contracts'
import {
  type Columns,
  column,
  execute,
  nullable,
  oneOf,
  type Pool,
  Prisma,
  query,
  type RowOf,
} from '@meridian/db'
import { readLimited } from '../sql/transaction.ts'
import { type Cursor, fromCursor, type KeysetSort, rowsWithinPage, toCursor } from './keyset.ts'

const { sql } = Prisma

/** The pieces of SQL that a list's statement is completed with. */
type PageSql = {
  /** Columns for the select list: the sort key and the id of a row, of which its cursor is made. */
  position: Prisma.Sql
  /** Condition: only rows behind the cursor. It reads an index, so that every page costs the same. */
  beyond: Prisma.Sql
  /** ORDER BY and LIMIT. */
  inOrder: Prisma.Sql
  /** `beyond` and `inOrder` together. */
  page: Prisma.Sql
  /** What follows ORDER BY, for an outer SELECT that joins the page to something else. */
  orderBy: Prisma.Sql
}

function pageSqlOf({ key, id, descending }: KeysetSort, cursor: Cursor | null, limit: number): PageSql {
  const down = descending !== (cursor?.backwards ?? false)
  const direction = down ? sql`DESC` : sql`ASC`
  const comparison = down ? sql`<` : sql`>`
  const beyond = cursor
    ? sql`(${key.column}, ${id.column}) ${comparison} (${cursor.position[0]}::${key.type}, ${cursor.position[1]}::${id.type})`
    : sql`TRUE`
  const orderBy = sql`${key.column} ${direction}, ${id.column} ${direction}`
  const inOrder = sql`ORDER BY ${orderBy} LIMIT ${limit + 1}`
  return {
    position: sql`${key.text} AS "sortKey", ${id.text} AS "sortId"`,
    beyond,
    inOrder,
    page: sql`${beyond} ${inOrder}`,
    orderBy,
  }
}

/** A key may be empty where a row is found by something else; such a row is alone on its page. */
const positionColumns = { sortKey: nullable(column.text), sortId: column.text }
type Position = RowOf<typeof positionColumns>

const cursorOf = ({ sortKey, sortId }: Position, way: 'next' | 'previous') =>
  toCursor([sortKey ?? '', sortId], way)

/** A page out of rows read with one more than asked for, in the order of the list whichever way they were read. */
function toTwoWayPage<Row extends Position>(
  rows: Row[],
  { limit, cursor }: { limit: number; cursor: Cursor | null },
): TwoWayPage<Row> {
  const backwards = cursor?.backwards ?? false
  const read = rows.slice(0, rowsWithinPage(rows, limit))
  const more = rows.length > read.length
  const items = backwards ? read.reverse() : read
  const [top, bottom] = [items.at(0), items.at(-1)]
  const hasNext = backwards || more
  const hasPrevious = backwards ? more : cursor !== null
  return {
    items,
    nextCursor: hasNext && bottom ? cursorOf(bottom, 'next') : null,
    previousCursor: hasPrevious && top ? cursorOf(top, 'previous') : null,
  }
}

type ListRead<Declared extends Columns> = {
  sort: KeysetSort
  asked: { limit: number; cursor?: string | undefined }
  /** Those of a row, without its position. */
  columns: Declared
  /** For a list too short to need the limit of two seconds. */
  isShort?: boolean
}

/**
 * One page of a list that is read both ways, by keyset.
 * @throws DomainError invalid_request for a cursor that is not of this list; range_too_wide after two seconds
 */
export function readPage<Declared extends Columns>(
  pool: Pool,
  list: ListRead<Declared>,
  statementOf: (page: PageSql) => Prisma.Sql,
): Promise<TwoWayPage<RowOf<Declared>>>
export async function readPage(
  pool: Pool,
  { sort, asked, columns, isShort = false }: ListRead<Columns>,
  statementOf: (page: PageSql) => Prisma.Sql,
): Promise<TwoWayPage<RowOf<Columns>>> {
  const { limit, cursor: text } = asked
  const cursor = text ? fromCursor(text, sort.key.Text, sort.id.Text) : null
  const statement = statementOf(pageSqlOf(sort, cursor, limit))
  const listed = { ...columns, ...positionColumns }
  const rows = isShort
    ? await execute(pool, query(null, statement, listed))
    : await readLimited(pool, statement, listed)
  const page = toTwoWayPage(rows, { limit, cursor })
  return { ...page, items: page.items.map(({ sortKey: _sortKey, sortId: _sortId, ...row }) => row) }
}

const upToLimit = (count: number): RowCount => ({
  count: Math.min(count, EXACT_COUNT_LIMIT),
  more: count > EXACT_COUNT_LIMIT,
})

const countedSql = (from: Prisma.Sql): Prisma.Sql =>
  sql`count(*)::int AS count FROM (SELECT 1 FROM ${from} LIMIT ${EXACT_COUNT_LIMIT + 1}) counted`

/** How many rows there are of what follows `FROM`: exact up to 10,000. */
export async function countRows(pool: Pool, from: Prisma.Sql): Promise<RowCount> {
  const [row] = await readLimited(pool, sql`SELECT ${countedSql(from)}`, { count: column.integer })
  return upToLimit(row?.count ?? 0)
}

/** What is added up: the columns of each row that are read, and the sums of them that are told. */
type Summed<Sums extends Columns> = { of: Prisma.Sql; sums: Prisma.Sql; from: Prisma.Sql; columns: Sums }

/** Count and sums of what follows `FROM`: exact up to 10,000 rows, of which `counted` are the columns read. */
export async function sumRows<Sums extends Columns>(
  pool: Pool,
  { of, sums, from, columns }: Summed<Sums>,
): Promise<RowCount & RowOf<Sums>>
export async function sumRows(
  pool: Pool,
  { of, sums, from, columns }: Summed<Columns>,
): Promise<RowCount & RowOf<Columns>> {
  const [row] = await readLimited(
    pool,
    sql`SELECT ${sums}, count(*)::int AS count FROM (SELECT ${of} FROM ${from} LIMIT ${EXACT_COUNT_LIMIT + 1}) counted`,
    { ...columns, count: column.integer },
  )
  if (!row) throw new Error('an aggregate without a row')
  return { ...row, ...upToLimit(row.count) }
}

/** The sum of an expression over the rows counted, in fen. */
export const fenSum = (of: Prisma.Sql): Prisma.Sql => sql`coalesce(sum(${of}), 0)::float8`

/**
 * Counts the rows behind each tab of a list, all in one statement and each exactly up to 10,000. `from` says what
 * follows `FROM`; the order it names is the index that they are counted out of, whatever the planner believes of them.
 */
export async function countTabs<Tab extends string>(
  pool: Pool,
  tabs: readonly Tab[],
  from: (tab: Tab) => Prisma.Sql,
): Promise<(RowCount & { tab: Tab })[]> {
  const counts = tabs.map((tab) => sql`SELECT ${tab}::text AS tab, ${countedSql(from(tab))}`)
  const rows = await readLimited(pool, Prisma.join(counts, ' UNION ALL '), {
    tab: oneOf(tabs),
    count: column.integer,
  })
  return rows.map(({ tab, count }) => ({ tab, ...upToLimit(count) }))
}
