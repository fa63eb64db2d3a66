import { z } from 'zod'
import { timeSorts } from './choices.ts'
import { Fen } from './money.ts'

/** The query of every list: how many rows, and where the last page ended. Cursors are opaque. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().min(1).max(512).optional(),
})
export type PageQuery = z.infer<typeof PageQuery>

/** The answer of every REST list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() })

/** What every list of the console takes beside its filters: how many rows, and the place they are read on from. */
export const pageFields = {
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().max(512).optional(),
}

/** The same of a list that is ordered by time alone. */
export const timedPageFields = { sort: z.enum(timeSorts).default('newest'), ...pageFields }

/** Bounds of a time that rows are looked for in, inclusive and exclusive. */
export const period = { from: z.date().optional(), to: z.date().optional() }

/** What a list is searched for: an id, whole, or what the list says beside it. */
export const searchText = z.string().trim().min(1).max(64).optional()

/** A page of a list of the console, which is read both ways. */
export const twoWayPageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    items: z.array(row),
    nextCursor: z.string().nullable(),
    previousCursor: z.string().nullable(),
  })
export type TwoWayPage<Row> = { items: Row[]; nextCursor: string | null; previousCursor: string | null }

/** The id of a row that the database counts up. */
export const SerialId = z.string().regex(/^\d{1,18}$/)

/** How many rows the filters leave: exact up to 10,000, `more` beyond. */
export const RowCount = z.object({ count: z.int(), more: z.boolean() })
export type RowCount = z.infer<typeof RowCount>

/** The same and their sum. */
export const RowTotals = z.object({ count: z.int(), amountFen: Fen, more: z.boolean() })
export type RowTotals = z.infer<typeof RowTotals>

/** The same of each of a list's tabs. */
export const countsOf = <Tab extends string>(tab: z.ZodType<Tab>) => z.array(RowCount.extend({ tab }))
