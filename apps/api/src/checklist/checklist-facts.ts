import { permissions } from '@meridian/contracts'
import { column, nullable, Prisma } from '@meridian/db'
import { readyPersonsSql } from '../approvals/eligibility.ts'

const { sql } = Prisma

const instant = nullable(column.instant)

/** When each fact came about; null for what has not yet. */
export const factColumns = {
  plans: instant,
  user: instant,
  sale: instant,
  healed: instant,
  refund: instant,
  second_person: instant,
  alarms: instant,
  backup: instant,
}

/** A plan that somebody has gone over; with virtual payment, also one on sale that has an item. */
const planSql = (isVirtual: boolean) => sql`
  SELECT min(updated_at) FROM plans
  WHERE updated_at > created_at
    AND (NOT ${isVirtual} OR EXISTS (SELECT FROM plans WHERE on_sale AND virtual_product_id IS NOT NULL))`

const userSql = sql`SELECT created_at FROM users ORDER BY created_at, id LIMIT 1`

/** Days given for an order: written by the statement that pays it, and by no other. */
const saleSql = sql`
  SELECT created_at FROM grants WHERE kind = 'purchase' AND order_id IS NOT NULL ORDER BY order_id LIMIT 1`

/** Found by asking; what an operator replayed had arrived. One entry of the index for each way. */
const healedSql = sql`
  SELECT min(found.confirmed_at)
  FROM unnest(ARRAY['sync', 'sweep', 'bill', 'admin_sync']::confirmed_by[]) way,
    LATERAL (
      SELECT confirmed_at FROM orders WHERE confirmed_by = way AND confirmed_by <> 'notification'
      ORDER BY created_at, id LIMIT 1) found`

const refundSql = sql`
  SELECT succeeded_at FROM refunds WHERE succeeded_at IS NOT NULL AND second_payment_id IS NULL
  ORDER BY succeeded_at LIMIT 1`

/** One asks, the other approves: there are two from when the second of them may. */
const secondPersonSql = sql`
  SELECT ready_at FROM (${readyPersonsSql(permissions['refund.approve'])}) ready
  WHERE ready_at <= business_now() ORDER BY ready_at OFFSET 1 LIMIT 1`

/** A channel that took a message, and did not fail since. */
const alarmsSql = sql`
  SELECT min(last_success_at) FROM alert_channels WHERE configured AND kind <> 'heartbeat' AND failures = 0`

const backupSql = sql`SELECT min(verified_at) FROM backups`

/**
 * The facts behind the steps: each is the first entry of an index, or a table that does not grow with orders, so that it
 * costs the same whatever has been sold.
 */
export const factsSql = (isVirtual: boolean): Prisma.Sql => sql`
  SELECT (${planSql(isVirtual)}) AS plans, (${userSql}) AS "user", (${saleSql}) AS sale, (${healedSql}) AS healed,
    (${refundSql}) AS refund, (${secondPersonSql}) AS second_person, (${alarmsSql}) AS alarms, (${backupSql}) AS backup`
