import { type Pool, Prisma, run } from '@meridian/db'
import type { HeaderBag, VerifiedNotification } from '@meridian/payments'

/** What became of a verified notification. Only the first three end it; with any other the next delivery is processed afresh. */
export type NotificationOutcome =
  | 'applied'
  | 'already_paid'
  | 'ignored'
  | 'order_unknown'
  | 'mismatch'
  | 'second_transaction'
  | 'deferred'

/** A notification whose signature held, with the bytes that prove it. */
export type VerifiedDelivery = { notification: VerifiedNotification; headers: HeaderBag; body: Uint8Array }

type Record = { delivery: VerifiedDelivery; outTradeNo: string | null; outcome: Prisma.Sql; detail?: unknown }

const evidence = [
  'wechatpay-timestamp',
  'wechatpay-nonce',
  'wechatpay-signature',
  'wechatpay-serial',
  'wechatpay-signature-type',
  'request-id',
]

const evidenceOf = (headers: HeaderBag) =>
  Object.fromEntries(evidence.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))

/**
 * The one writer of the inbox, as an insert: once per platform id, later deliveries are counted and may change an
 * outcome that was not final. `outcome` is an expression of type text.
 */
export const recordedNotification = ({ delivery, outTradeNo, outcome, detail }: Record): Prisma.Sql => {
  const { notification, headers, body } = delivery
  return Prisma.sql`
    INSERT INTO notifications (id, event_type, serial, headers, body, payload, outcome, out_trade_no, detail)
    VALUES (${notification.id}, ${notification.eventType}, ${notification.serial},
            ${JSON.stringify(evidenceOf(headers))}::jsonb, ${Buffer.from(body)}::bytea,
            ${JSON.stringify(notification.payload)}::jsonb, (${outcome})::notification_outcome, ${outTradeNo},
            ${JSON.stringify(detail ?? {})}::jsonb)
    ON CONFLICT (id) DO UPDATE SET
      deliveries = notifications.deliveries + 1, last_at = now(),
      outcome = CASE WHEN notifications.outcome IN ('applied', 'already_paid', 'ignored') THEN notifications.outcome ELSE excluded.outcome END,
      detail = CASE WHEN notifications.outcome IN ('applied', 'already_paid', 'ignored') THEN notifications.detail ELSE excluded.detail END
    RETURNING id`
}

/** Keeps a notification that changes nothing else. */
export async function recordNotification(
  pool: Pool,
  delivery: VerifiedDelivery,
  outcome: NotificationOutcome,
): Promise<void> {
  await run(
    pool,
    'record-notification',
    recordedNotification({ delivery, outTradeNo: null, outcome: Prisma.sql`${outcome}` }),
  )
}
