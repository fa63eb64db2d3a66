import { z } from 'zod'

/** The query of every list: how many rows, and where the last page ended. Cursors are opaque. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().min(1).max(512).optional(),
})
export type PageQuery = z.infer<typeof PageQuery>

/** The answer of every REST list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() })

/** How many rows the filters leave: exact up to 10,000, `more` beyond. */
export const RowCount = z.object({ count: z.int(), more: z.boolean() })
export type RowCount = z.infer<typeof RowCount>

/** The same of each of a list's tabs. */
export const countsOf = <Tab extends string>(tab: z.ZodType<Tab>) => z.array(RowCount.extend({ tab }))
