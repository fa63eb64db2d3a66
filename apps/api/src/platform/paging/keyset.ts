import { SerialId } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { z } from 'zod'
import { DomainError } from '../errors/domain-error.ts'
import { utcTextSql } from '../time/utc-text.ts'

const { sql } = Prisma

/** Where a page ended: the sort key of its last row, as text, and its id. */
type Position = readonly [key: string, id: string]

/** A place in a list and the way to read on from it. */
export type Cursor = { position: Position; backwards: boolean }

const Encoded = z.tuple([z.string().max(64), z.string().max(128), z.enum(['next', 'previous'])])

/** An id that is a UUID. */
export const UuidId = z.uuid()

/** An opaque cursor; it costs the same at any depth because it is the sort key itself. */
export const toCursor = ([key, id]: Position, way: 'next' | 'previous' = 'next'): string =>
  Buffer.from(JSON.stringify([key, id, way])).toString('base64url')

const refuseCursor = () =>
  new DomainError('invalid_request', {
    errors: [{ path: 'cursor', message: { zh: '不是本列表的游标', en: 'is not a cursor of this list' } }],
  })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Reads a cursor that we made; `Key` says what its sort key must look like, `Id` what its id.
 * @throws DomainError invalid_request for anything else
 */
export function fromCursor(cursor: string, Key: z.ZodType<string>, Id: z.ZodType<string> = SerialId): Cursor {
  const parsed = Encoded.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()))
  if (!parsed.success) throw refuseCursor()
  const [key, id, way] = parsed.data
  if (!Key.safeParse(key).success || !Id.safeParse(id).success) throw refuseCursor()
  return { position: [key, id], backwards: way === 'previous' }
}

/** Whether the calendar has this instant: JavaScript alone would take 30 February for 2 March. */
function isInstant(text: string): boolean {
  const [date = '', time = ''] = text.split(' ')
  const instant = new Date(`${date}T${time.slice(0, 8)}Z`)
  return date >= '0001' && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date)
}

/** A sort key that is an instant, as `utcTextSql` writes it. */
export const InstantKey = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/)
  .refine(isInstant)
/** A sort key that is a number of fen. */
const FenKey = z.string().regex(/^\d{1,9}$/)

/** A page weighs no more than this, however many rows were asked for: what is left is on the next one. */
const PAGE_LIMIT_BYTES = 1024 * 1024

/** What a value weighs as JSON, near enough. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2
  if (typeof value !== 'object' || value === null || value instanceof Date) return 16
  return Object.entries(value).reduce((sum, [key, member]) => sum + key.length + 4 + weightOf(member), 2)
}

/** How many of the rows a page holds: as many as were asked for, fewer where they are heavy, one at least. */
export function rowsWithinPage(rows: readonly unknown[], limit: number): number {
  let weight = 0
  const beyond = rows.slice(0, limit).findIndex((row) => {
    weight += weightOf(row)
    return weight > PAGE_LIMIT_BYTES
  })
  return beyond === -1 ? limit : Math.max(1, beyond)
}

/** A page read with one row more than asked for: that row only says that there is more. */
export function toPage<Row>(rows: Row[], limit: number, positionOf: (row: Row) => Position) {
  const items = rows.slice(0, rowsWithinPage(rows, limit))
  const last = items.at(-1)
  return { items, nextCursor: rows.length > items.length && last ? toCursor(positionOf(last)) : null }
}

/** A column that a list is sorted by, its text, and what that looks like. */
type SortColumn = { column: Prisma.Sql; text: Prisma.Sql; type: Prisma.Sql; Text: z.ZodType<string> }

const sortColumn = (column: Prisma.Sql, type: Prisma.Sql, Text: z.ZodType<string>): SortColumn => ({
  column,
  text: sql`${column}::text`,
  type,
  Text,
})

/** A sort order that one index serves: the column it reads first, and the id that tells equal keys apart. */
export type KeysetSort = { key: SortColumn; id: SortColumn; descending: boolean }

export const instantColumn = (column: Prisma.Sql): SortColumn => ({
  ...sortColumn(column, sql`timestamptz`, InstantKey),
  text: utcTextSql(column),
})
/** A column that is text itself. */
export const textColumn = (column: Prisma.Sql, Text: z.ZodType<string>): SortColumn =>
  sortColumn(column, sql`text`, Text)
export const dateColumn = (column: Prisma.Sql): SortColumn => sortColumn(column, sql`date`, z.iso.date())
export const fenColumn = (column: Prisma.Sql): SortColumn => sortColumn(column, sql`int`, FenKey)
export const serialColumn = (column: Prisma.Sql): SortColumn => sortColumn(column, sql`bigint`, SerialId)
export const uuidColumn = (column: Prisma.Sql): SortColumn => sortColumn(column, sql`uuid`, UuidId)

/** The two orders of a list that is sorted by its age. */
export const byAge = (sort: Omit<KeysetSort, 'descending'>) => ({
  newest: { ...sort, descending: true },
  oldest: { ...sort, descending: false },
})
