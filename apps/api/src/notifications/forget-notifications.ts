import { keptRows } from '@meridian/contracts'
import { execute, type PoolClient, Prisma, query } from '@meridian/db'
import { keptSinceSql } from '../platform/time/business-time.ts'
import type { VerifiedDelivery } from './record-notification.ts'

const { sql } = Prisma

/**
 * Takes the payer out of what the inbox keeps of these orders: the openid gives way to its mark, the account a refund
 * went to is dropped, and the encrypted bytes, which would give both back, are emptied.
 */
export const anonymisePayers = (
  client: PoolClient,
  { outTradeNos, payer }: { outTradeNos: string[]; payer: string },
) =>
  execute(
    client,
    query(
      'forget-payers-in-inbox',
      Prisma.sql`
      UPDATE notifications SET body = '', payload = CASE
        WHEN payload ? 'OpenId' THEN jsonb_set(payload, '{OpenId}', to_jsonb(${payer}::text))
        WHEN payload #>> '{payer,openid}' IS NULL THEN payload
        ELSE jsonb_set(payload, '{payer,openid}', to_jsonb(${payer}::text)) END - 'user_received_account'
      WHERE out_trade_no = ANY(${outTradeNos}::text[])`,
    ),
  )

type Payload = { OpenId?: unknown; payer?: unknown; user_received_account?: unknown }
const isPayload = (value: unknown): value is Payload => typeof value === 'object' && value !== null

/** A delivery about the order of somebody who has gone, as it may be kept: the same as of those that came before. */
export function withoutIdentity(delivery: VerifiedDelivery, payer: string): VerifiedDelivery {
  const { payload } = delivery.notification
  const { user_received_account: _, ...known } = isPayload(payload) ? payload : {}
  const marks = {
    ...('OpenId' in known && { OpenId: payer }),
    ...('payer' in known && { payer: { openid: payer } }),
  }
  const notification = { ...delivery.notification, payload: { ...known, ...marks } }
  return { ...delivery, notification, body: Buffer.alloc(0) }
}

/** Notifications that were kept long enough, at most so many at once. */
export const purgeNotificationsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM notifications WHERE id IN (
    SELECT id FROM notifications WHERE first_at < ${keptSinceSql('notifications')} ORDER BY first_at, id LIMIT ${limit})
  RETURNING 1 AS gone`

/** Whether a refused delivery is beyond its time or beyond their number, as a condition. */
export const isExpiredRejectionSql = sql`(at < ${keptSinceSql('rejected_deliveries')}
  OR id <= (SELECT id FROM rejected_deliveries ORDER BY id DESC OFFSET ${keptRows.rejected_deliveries} LIMIT 1))`

/** Refused deliveries that are kept no longer, at most so many at once. */
export const purgeRejectionsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM rejected_deliveries WHERE id IN (
    SELECT id FROM rejected_deliveries WHERE ${isExpiredRejectionSql}
    ORDER BY id LIMIT ${limit})
  RETURNING 1 AS gone`

/** How often deliveries were refused, as long as the inbox is kept. */
export const purgeRejectionCountsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM rejection_counts WHERE (reason, hour) IN (
    SELECT reason, hour FROM rejection_counts WHERE hour < ${keptSinceSql('rejection_counts')} LIMIT ${limit})
  RETURNING 1 AS gone`
