import { type Retained, retentionOf } from '@meridian/contracts'
import { Prisma } from '@meridian/db'

/** The instant before which rows of this kind are kept no longer, as an expression. */
export const keptSinceSql = (kind: Retained): Prisma.Sql =>
  Prisma.sql`business_now() - ${Prisma.raw(`interval '${retentionOf(kind)}'`)}`
