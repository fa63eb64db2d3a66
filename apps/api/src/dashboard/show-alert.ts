import {
  type AlertDetail,
  AlertNotification,
  AlertOrder,
  AlertRefund,
  AlertRow,
  type AlertsAbout,
  OpenAlert,
  refundableFenOf,
  severityOfAlert,
} from '@meridian/contracts'
import { execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { alertColumnsSql } from '../alerts/list-alerts.ts'
import { ordersOfAlertSql } from '../alerts/orders-of-alert.ts'
import { isUngrantedSql } from '../orders/park-order.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import type { NameView } from '../platform/sql/show-nickname.ts'
import { readLimited } from '../platform/sql/transaction.ts'
import { refundStateSql } from '../refunds/list-refunds.ts'

const { sql } = Prisma

const alertNotificationColumns = columnsOf(AlertNotification)

const alertRefundColumns = columnsOf(AlertRefund)

const openAlertColumns = columnsOf(OpenAlert)

const foundOrderColumns = columnsOf(AlertOrder.omit({ refundableFen: true }).extend({ reservedFen: z.int() }))

/** Of each kind of thing an alert names: more never belong to one. */
const shownAtMost = 10

const foundColumns = columnsOf(
  AlertRow.extend({ own: z.string().nullable(), outTradeNos: z.array(z.string()) }),
)
type Found = RowOf<typeof foundColumns>

async function ordersOf(pool: Pool, { outTradeNos }: Found): Promise<AlertOrder[]> {
  const orders = await execute(
    pool,
    query(
      'list-orders-of-alert',
      sql`
      SELECT o.out_trade_no AS "outTradeNo", o.status, o.plan_name AS "planName", o.duration_days AS "durationDays",
        o.amount_fen AS "amountFen", o.refunded_fen AS "refundedFen",
        o.refund_reserved_fen AS "reservedFen", o.trade_type AS "tradeType",
        o.transaction_id AS "transactionId", o.late, o.parked, o.park_reason AS "parkReason", NOT ${isUngrantedSql} AS granted,
        o.paid_at AS "paidAt", o.created_at AS "createdAt"
      FROM orders o WHERE o.out_trade_no = ANY (${outTradeNos}::text[])
      ORDER BY o.paid_at, o.id LIMIT ${shownAtMost}`,
      foundOrderColumns,
    ),
  )
  return orders.map(({ reservedFen, ...order }) => ({
    ...order,
    refundableFen: refundableFenOf({ ...order, reservedFen }),
  }))
}

async function refundOf(pool: Pool, { outRefundNo }: Found): Promise<AlertRefund | null> {
  if (!outRefundNo) return null
  const [refund] = await execute(
    pool,
    query(
      'find-refund-of-alert',
      sql`
      SELECT r.out_refund_no AS "outRefundNo", o.out_trade_no AS "outTradeNo", r.amount_fen AS "amountFen", ${refundStateSql} AS state,
        r.created_at AS "createdAt"
      FROM refunds r JOIN orders o ON o.id = r.order_id WHERE r.out_refund_no = ${outRefundNo}`,
      alertRefundColumns,
    ),
  )
  return refund ?? null
}

const Named = z.object({ notification: z.string() }).catch({ notification: '' })

/** What the platform told about these orders, what did not fit first; and the notification that the alert names. */
const notificationsOf = (pool: Pool, { outTradeNos, detail }: Found): Promise<AlertNotification[]> =>
  execute(
    pool,
    query(
      'list-notifications-of-alert',
      sql`
      SELECT id, outcome, coalesce(payload ->> 'transaction_id', payload ->> 'OutTradeNo') AS "transactionId", last_at AS "lastAt" FROM notifications
      WHERE id = ${Named.parse(detail).notification} OR out_trade_no = ANY (${outTradeNos}::text[])
      ORDER BY outcome IN ('applied', 'already_paid', 'ignored'), last_at DESC, id LIMIT ${shownAtMost}`,
      alertNotificationColumns,
    ),
  )

const openAlerts = (pool: Pool, outTradeNos: Prisma.Sql, besides: string | null) =>
  readLimited(
    pool,
    sql`
      SELECT id::text, kind, opened_at AS "openedAt" FROM alerts
      WHERE resolved_at IS NULL AND ${ordersOfAlertSql} && ${outTradeNos} AND id <> coalesce(${besides}::bigint, 0)
      ORDER BY opened_at, alerts.id LIMIT ${shownAtMost}`,
    openAlertColumns,
  )

/**
 * One alert with the facts behind it, as they stand now.
 * @throws DomainError not_found
 */
export async function showAlert(pool: Pool, id: string, names: NameView): Promise<AlertDetail> {
  const [found] = await execute(
    pool,
    query(
      'show-alert',
      sql`
      SELECT ${alertColumnsSql(names)}, detail ->> 'severity' AS own,
        ${ordersOfAlertSql} AS "outTradeNos"
      FROM alerts WHERE id = ${id}::bigint`,
      foundColumns,
    ),
  )
  if (!found) throw new DomainError('not_found')
  const { own, outTradeNos, ...row } = found
  const [orders, refund, notifications, others] = [
    await ordersOf(pool, found),
    await refundOf(pool, found),
    await notificationsOf(pool, found),
    await openAlerts(pool, sql`${outTradeNos}::text[]`, id),
  ]
  return { ...row, severity: severityOfAlert(row.kind, own), orders, refund, notifications, others }
}

/** A user's newest orders, as an array. */
const ordersOfUserSql = (userId: string): Prisma.Sql => sql`ARRAY(
  SELECT out_trade_no FROM orders WHERE user_id = ${userId}::uuid ORDER BY orders.id DESC LIMIT 200)`

/** Open alerts about an order, a refund, or the newest two hundred orders of a user: the oldest ten. */
export function listAlertsAbout(pool: Pool, about: AlertsAbout): Promise<OpenAlert[]> {
  if ('userId' in about) return openAlerts(pool, ordersOfUserSql(about.userId), null)
  if ('outTradeNo' in about) return openAlerts(pool, sql`ARRAY[${about.outTradeNo}]::text[]`, null)
  return readLimited(
    pool,
    sql`
      SELECT id::text, kind, opened_at AS "openedAt" FROM alerts
      WHERE resolved_at IS NULL AND substring(subject FROM 'R[0-9A-Z]{26}') = ${about.outRefundNo}
      ORDER BY opened_at, alerts.id LIMIT ${shownAtMost}`,
    openAlertColumns,
  )
}
