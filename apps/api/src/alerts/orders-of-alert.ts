import { Prisma } from '@meridian/db'

const { sql } = Prisma

/**
 * The numbers of the orders that a row of `alerts` is about, as an array, the earliest order first: those in its subject
 * and in its detail, and that of the refund in its subject.
 */
export const ordersOfAlertSql = sql`ARRAY(
  SELECT found[1] AS number FROM regexp_matches(
    concat_ws(' ', alerts.subject, alerts.detail ->> 'order', alerts.detail ->> 'out_trade_no'), 'M[0-9A-Z]{26}', 'g') found
  UNION SELECT o.out_trade_no FROM refunds r JOIN orders o ON o.id = r.order_id
  WHERE r.out_refund_no = substring(alerts.subject FROM 'R[0-9A-Z]{26}')
  ORDER BY number)`

/** The number of the earliest of these orders; null where there is none. */
export const orderOfAlertSql = sql`(${ordersOfAlertSql})[1]`

/** The user who made the earliest of these orders that we know; null where there is none. */
export const payerOfAlertSql = sql`(
  SELECT o.user_id FROM orders o WHERE o.out_trade_no = ANY (${ordersOfAlertSql}) ORDER BY o.id LIMIT 1)`
