import {
  type AppleInquiryListQuery,
  AppleInquiryRow,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { instantColumn, serialColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql } from '../platform/sql/conditions.ts'
import { payerOfOrderSql } from '../platform/sql/payer-of.ts'
import { type NameView, nicknameOfSql } from '../platform/sql/show-nickname.ts'

const { sql } = Prisma

const newest = {
  key: instantColumn(sql`answered_at`),
  id: serialColumn(sql`apple_inquiries.id`),
  descending: true,
}

/** The number of the order, or of the attempt that Apple asked about. */
function searchCondition(text: string): Prisma.Sql {
  const number = text.toUpperCase()
  return sql`(out_trade_no = ${number} OR attempt_no = ${number})`
}

const inquiriesSql = ({ search }: AppleInquiryListQuery): Prisma.Sql =>
  sql`apple_inquiries WHERE ${allOfSql(search && searchCondition(search))}`

/** How many inquiries the filters leave: exact up to 10,000. */
export const countInquiries = (pool: Pool, filter: AppleInquiryListQuery): Promise<RowCount> =>
  countRows(pool, inquiriesSql(filter))

const payerSql = payerOfOrderSql(sql`apple_inquiries.out_trade_no`)

/** What Apple asked about refunds and what we answered, the newest answer first. */
export const listInquiries = (
  pool: Pool,
  query: AppleInquiryListQuery,
  names: NameView,
): Promise<TwoWayPage<AppleInquiryRow>> =>
  readPage(
    pool,
    { sort: newest, asked: query, columns: columnsOf(AppleInquiryRow) },
    ({ position, page }) => sql`
      SELECT id::text AS id, attempt_no AS "attemptNo", out_trade_no AS "outTradeNo",
        ${payerSql} AS "userId", ${nicknameOfSql(payerSql, names)} AS customer,
        requested_at AS "requestedAt", reason, let_pass AS "letPass", opinion, evidence, asked,
        answered_at AS "answeredAt", ${position}
      FROM ${inquiriesSql(query)} AND ${page}`,
  )
