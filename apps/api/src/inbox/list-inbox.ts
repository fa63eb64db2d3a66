import {
  EXACT_COUNT_LIMIT,
  InboxColleague,
  type InboxCounts,
  type InboxFilter,
  InboxItem,
  InboxKind,
  type InboxQuery,
  InboxUrgency,
  InboxView,
  type TwoWayPage,
} from '@meridian/contracts'
import { column, nullable, oneOf, type Pool, Prisma } from '@meridian/db'
import { z } from 'zod'
import { orderOfAlertSql, payerOfAlertSql } from '../alerts/orders-of-alert.ts'
import { customerOfApprovalSql } from '../approvals/list-waiting.ts'
import { textColumn } from '../platform/paging/keyset.ts'
import { readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { payerOfOrderSql, payerOfRefundSql } from '../platform/sql/payer-of.ts'
import { type NameView, nicknameOfSql } from '../platform/sql/show-nickname.ts'
import { readLimited } from '../platform/sql/transaction.ts'
import { belongsSql, inboxFromSql, itemsSql, type Looker, mayActSql, obstacleSql } from './waiting-items.ts'

const { sql } = Prisma

/** Urgency and moment in one text that sorts like the two: what is most urgent and has waited longest is first. */
const placeSql = sql`(i.urgency || lpad(trunc(extract(epoch FROM i.since) * 1000000)::text, 17, '0')) COLLATE "C"`
const nameSql = sql`(i.kind || ' ' || i.id) COLLATE "C"`

const byUrgency = {
  key: textColumn(placeSql, z.string().regex(/^\d{18}$/)),
  id: textColumn(nameSql, z.string().max(96)),
  descending: false,
}

const emailOf = (id: Prisma.Sql) => sql`(SELECT email FROM operators WHERE operators.id = ${id})`

const urgencyWordSql = sql`(${InboxUrgency.options}::text[])[i.urgency + 1]`

/** Whom the item `i` concerns, as an expression: looked up for the rows of a page alone. Of a price, nobody. */
const customerIdSql = sql`CASE i.kind
  WHEN 'order' THEN ${payerOfOrderSql(sql`i.subject`)}
  WHEN 'refund' THEN ${payerOfRefundSql(sql`i.subject`)}
  WHEN 'difference' THEN coalesce(${payerOfOrderSql(sql`i.subject`)}, ${payerOfRefundSql(sql`i.subject`)})
  WHEN 'alert' THEN (SELECT ${payerOfAlertSql} FROM alerts WHERE alerts.id = i.id::bigint)
  WHEN 'mention' THEN (SELECT n.user_id FROM notes n WHERE n.id = i.id::bigint)
  WHEN 'approval' THEN ${customerOfApprovalSql(sql`i.topic`, sql`i.subject`)}
  END`

/** What the item `i` is about in fen: of an alert the amount of its order, looked up for the rows of a page alone. */
const amountFenSql = sql`CASE i.kind
  WHEN 'alert' THEN (
    SELECT o.amount_fen FROM alerts JOIN orders o ON o.out_trade_no = ${orderOfAlertSql} WHERE alerts.id = i.id::bigint)
  ELSE i.amount_fen END`

/** One page of what waits: by urgency, what waits longest first. */
export const listInbox = (
  pool: Pool,
  asked: InboxQuery,
  { names, ...looker }: Looker & { names: NameView },
): Promise<TwoWayPage<InboxItem>> =>
  readPage(
    pool,
    { sort: byUrgency, asked, columns: columnsOf(InboxItem) },
    ({ position, page }) => sql`
      SELECT i.kind, i.id, i.topic, i.subject, ${customerIdSql} AS "userId",
        ${nicknameOfSql(customerIdSql, names)} AS customer, ${amountFenSql} AS "amountFen", ${urgencyWordSql} AS urgency, i.since,
        i.due_at AS "dueAt", i.assignee_id AS "assigneeId", ${emailOf(sql`i.assignee_id`)} AS "assigneeEmail",
        i.snoozed_until AS "snoozedUntil", ${emailOf(sql`i.snoozed_by`)} AS "snoozedByEmail", i.permission,
        ${mayActSql(looker)} AS "mayAct", coalesce(i.requested_by = ${looker.operatorId}::uuid, FALSE) AS "isOwn",
        ${obstacleSql(looker)} AS obstacle, i.before, i.after, ${emailOf(sql`i.requested_by`)} AS "requestedBy", ${position}
      FROM ${inboxFromSql(asked, looker)} AND ${page}`,
  )

const toCount = (count: number, more: boolean) => ({ count: Math.min(count, EXACT_COUNT_LIMIT), more })

/** How much lies in each part and of each kind, counted once over what waits: exact up to 10,000 things. */
export async function countInbox(pool: Pool, asked: InboxFilter, looker: Looker): Promise<InboxCounts> {
  const parts = InboxView.options.map((view) => sql`(${view}::text, ${belongsSql(view, looker)})`)
  const rows = await readLimited(
    pool,
    sql`
      SELECT part.view, i.kind, count(*)::int AS count FROM (
        SELECT * FROM ${itemsSql({ readerId: looker.operatorId })} every LIMIT ${EXACT_COUNT_LIMIT + 1}) i
      CROSS JOIN LATERAL (VALUES ${Prisma.join(parts)}) part (view, belongs)
      WHERE part.belongs GROUP BY part.view, i.kind`,
    { view: oneOf(InboxView.options), kind: oneOf(InboxKind.options), count: column.integer },
  )
  const sumOf = (belongs: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(belongs).reduce((sum, { count }) => sum + count, 0)
  const more = sumOf(({ view }) => view === 'all' || view === 'snoozed') > EXACT_COUNT_LIMIT
  return {
    views: InboxView.options.map((tab) => ({
      tab,
      ...toCount(
        sumOf(({ view, kind }) => view === tab && (asked.kind ?? kind) === kind),
        more,
      ),
    })),
    kinds: InboxKind.options.map((tab) => ({
      tab,
      ...toCount(
        sumOf(({ view, kind }) => view === asked.view && kind === tab),
        more,
      ),
    })),
  }
}

/** How much waits that nobody snoozed, and since when the oldest of it does. */
export async function summariseInbox(pool: Pool): Promise<{ count: number; oldest: Date | null }> {
  const [summary] = await readLimited(
    pool,
    sql`SELECT count(*)::int AS count, min(i.since) AS oldest FROM ${itemsSql()} i WHERE i.snoozed_until IS NULL`,
    { count: column.integer, oldest: nullable(column.instant) },
  )
  return summary ?? { count: 0, oldest: null }
}

const mostColleagues = 200

/** Who may be given something that takes one of these roles: whoever works here, by name. */
export const listColleagues = (pool: Pool, roles: readonly string[]): Promise<InboxColleague[]> =>
  readLimited(
    pool,
    sql`
      SELECT id::text, name, email FROM operators
      WHERE disabled_at IS NULL AND role::text = ANY (${roles}::text[]) ORDER BY name, email LIMIT ${mostColleagues}`,
    columnsOf(InboxColleague),
  )
