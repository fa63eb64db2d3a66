import type { SubjectKind, SubjectReference } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { payerOfAlertSql } from '../alerts/orders-of-alert.ts'
import { payerOfOrderSql, payerOfRefundSql } from '../platform/sql/payer-of.ts'

const { sql } = Prisma

const serialIdOf = (id: string): string => (/^\d{1,18}$/.test(id) ? id : '0')

const uuidOf = (id: string): string | null =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id : null

/** The one row of the thing, and whom it concerns: themselves, who made the order it is about, who has the device now. */
const rows: Readonly<Record<SubjectKind, (id: string) => Prisma.Sql>> = {
  order: (id) => sql`SELECT user_id FROM orders WHERE out_trade_no = ${id}`,
  refund: (id) => sql`
    SELECT o.user_id FROM refunds r JOIN orders o ON o.id = r.order_id WHERE r.out_refund_no = ${id}`,
  user: (id) => sql`SELECT u.id AS user_id FROM users u WHERE u.id = ${uuidOf(id)}::uuid`,
  device: (id) => sql`
    SELECT (SELECT b.user_id FROM bindings b WHERE b.serial_number = d.serial_number AND b.unbound_at IS NULL LIMIT 1) AS user_id
    FROM devices d WHERE d.serial_number = ${id}`,
  difference: (id) => sql`
    SELECT coalesce(${payerOfOrderSql(sql`x.out_trade_no`)}, ${payerOfRefundSql(sql`x.out_refund_no`)}) AS user_id FROM reconciliation_differences x WHERE x.id = ${serialIdOf(id)}::bigint`,
  alert: (id) => sql`SELECT ${payerOfAlertSql} AS user_id FROM alerts WHERE id = ${serialIdOf(id)}::bigint`,
}

/** What the audit log calls a thing. */
export const auditedSubject = ({ kind, id }: SubjectReference): { type: string; id: string } => ({
  type: kind === 'difference' ? 'reconciliation_difference' : kind,
  id,
})

/** Whom a thing concerns, as the column `user_id` of one row; no row where there is no such thing. */
export const subjectRowSql = ({ kind, id }: SubjectReference): Prisma.Sql => rows[kind](id)
