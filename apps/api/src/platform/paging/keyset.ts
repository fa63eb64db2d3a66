import { SerialId } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { z } from 'zod'
import { FenKey, InstantKey, UuidId } from './paging.ts'

const { sql } = Prisma

/** A column that a list is sorted by, and what its values look like as text. */
export type SortColumn = { column: Prisma.Sql; type: Prisma.Sql; Text: z.ZodType<string> }

/** A sort order that one index serves: the column it reads first, and the id that tells equal keys apart. */
export type KeysetSort = { key: SortColumn; id: SortColumn; descending: boolean }

export const instantColumn = (column: Prisma.Sql): SortColumn => ({
  column,
  type: sql`timestamptz`,
  Text: InstantKey,
})
export const dateColumn = (column: Prisma.Sql): SortColumn => ({
  column,
  type: sql`date`,
  Text: z.iso.date(),
})
export const fenColumn = (column: Prisma.Sql): SortColumn => ({ column, type: sql`int`, Text: FenKey })
export const serialColumn = (column: Prisma.Sql): SortColumn => ({
  column,
  type: sql`bigint`,
  Text: SerialId,
})
export const uuidColumn = (column: Prisma.Sql): SortColumn => ({ column, type: sql`uuid`, Text: UuidId })

/** The two orders of a list that is sorted by its age. */
export const byAge = (sort: Omit<KeysetSort, 'descending'>) => ({
  newest: { ...sort, descending: true },
  oldest: { ...sort, descending: false },
})
