import { SerialId, type TwoWayPage } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import type { z } from 'zod'
import { type Cursor, fromCursor, type Position, rowsWithinPage, toCursor } from './paging.ts'

const { sql } = Prisma

/** A sort order that one index serves: the column it reads first, and the id that tells equal keys apart. */
export type KeysetSort = {
  column: Prisma.Sql
  type: Prisma.Sql
  /** What a key of this column looks like, as text. */
  Key: z.ZodType<string>
  descending: boolean
  id?: Prisma.Sql
  idType?: Prisma.Sql
  /** What an id looks like, as text. */
  Id?: z.ZodType<string>
}

/**
 * Where a list that is read both ways carries on: a condition and an order, at the same cost at any depth.
 * @throws DomainError invalid_request for a cursor that is not of this list
 */
export function keysetOf(
  { column, type, Key, descending, id = sql`id`, idType = sql`bigint`, Id = SerialId }: KeysetSort,
  text: string | undefined,
) {
  const cursor = text ? fromCursor(text, Key, Id) : null
  const down = descending !== (cursor?.backwards ?? false)
  const direction = down ? sql`DESC` : sql`ASC`
  const comparison = down ? sql`<` : sql`>`
  return {
    cursor,
    beyond: cursor
      ? sql`(${column}, ${id}) ${comparison} (${cursor.position[0]}::${type}, ${cursor.position[1]}::${idType})`
      : sql`TRUE`,
    orderBy: sql`${column} ${direction}, ${id} ${direction}`,
  }
}

/** A page out of rows read with one more than asked for, in the order of the list whichever way they were read. */
export function toTwoWayPage<Row>(
  rows: Row[],
  { limit, cursor }: { limit: number; cursor: Cursor | null },
  positionOf: (row: Row) => Position,
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
    nextCursor: hasNext && bottom ? toCursor(positionOf(bottom), 'next') : null,
    previousCursor: hasPrevious && top ? toCursor(positionOf(top), 'previous') : null,
  }
}
