import { Prisma } from '@meridian/db'
import { keptSinceSql } from '../platform/time/kept-since.ts'

const { sql } = Prisma

const compared = (kind: 'bill_rows' | 'bill_flows') => sql`b.bill_date < (${keptSinceSql(kind)})::date`

/** Rows of trade bills that nothing is compared with any more, at most so many at once. */
export const purgeBillRowsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM bill_rows WHERE (bill_id, line) IN (
    SELECT r.bill_id, r.line FROM bills b JOIN bill_rows r ON r.bill_id = b.id WHERE ${compared('bill_rows')} LIMIT ${limit})
  RETURNING 1 AS gone`

/** The same of fund-flow bills. */
export const purgeBillFlowsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM bill_flows WHERE (bill_id, line) IN (
    SELECT f.bill_id, f.line FROM bills b JOIN bill_flows f ON f.bill_id = b.id WHERE ${compared('bill_flows')} LIMIT ${limit})
  RETURNING 1 AS gone`
