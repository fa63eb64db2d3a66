import type { NotificationOutcome } from '@meridian/contracts'
import { type Connection, Prisma, run } from '@meridian/db'
import type { HeaderBag, VerifiedNotification } from '@meridian/payments'
import { storableJson } from './storable-payload.ts'

/** A notification whose signature held, with the bytes that prove it. */
export type VerifiedDelivery = {
  notification: VerifiedNotification
  headers: HeaderBag
  body: Uint8Array
  /** Read from the inbox again, not delivered again. */
  replayed?: boolean
}

type Record = { delivery: VerifiedDelivery; outTradeNo: string | null; outcome: Prisma.Sql; detail?: unknown }

const evidence = [
  'wechatpay-timestamp',
  'wechatpay-nonce',
  'wechatpay-signature',
  'wechatpay-serial',
  'wechatpay-signature-type',
  'request-id',
]

/** The headers that prove a delivery. */
export const evidenceOf = (headers: HeaderBag) =>
  Object.fromEntries(evidence.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))

/** A delivery is repeated fifteen times, and by a stranger as often as it is fresh: as many outcomes are kept. */
const keptOutcomes = 200

type Outcome = { id: string; outcome: Prisma.Sql; detail: string; replayed?: boolean }

/**
 * The one writer of the history of outcomes, as an insert: what became of the notification this time, whatever its row
 * says. `source` is a relation with one row where it is to be kept. What a person replays is always kept.
 */
export const keepOutcomeSql = (
  source: Prisma.Sql,
  { id, outcome, detail, replayed = false }: Outcome,
): Prisma.Sql => Prisma.sql`
  INSERT INTO notification_outcomes (notification_id, outcome, detail, replayed)
  SELECT ${id}, (${outcome})::notification_outcome, ${detail}::jsonb, ${replayed}::boolean FROM ${source}
  WHERE ${replayed}::boolean
    OR (SELECT count(*) FROM notification_outcomes WHERE notification_id = ${id}) < ${keptOutcomes}`

/**
 * The one writer of the inbox, as two named parts of a statement: `inbox` keeps the notification once per platform id,
 * later deliveries are counted and may change an outcome that was not final; `kept_outcome` appends what became of it
 * this time. `outcome` is an expression of type text.
 */
export const recordNotificationSql = ({ delivery, outTradeNo, outcome, detail }: Record): Prisma.Sql => {
  const { notification, headers, body, replayed = false } = delivery
  const kept = JSON.stringify(detail ?? {})
  return Prisma.sql`inbox AS (
    INSERT INTO notifications (id, event_type, serial, headers, body, payload, outcome, out_trade_no, detail, deliveries)
    VALUES (${notification.id}, ${notification.eventType}, ${notification.serial},
            ${JSON.stringify(evidenceOf(headers))}::jsonb, ${Buffer.from(body)}::bytea,
            ${storableJson(notification.payload)}::jsonb, (${outcome})::notification_outcome, ${outTradeNo},
            ${kept}::jsonb, ${replayed ? 0 : 1})
    ON CONFLICT (id) DO UPDATE SET
      deliveries = notifications.deliveries + excluded.deliveries,
      last_at = CASE WHEN excluded.deliveries = 0 THEN notifications.last_at ELSE business_now() END,
      payload = CASE WHEN notifications.outcome = 'unreadable' THEN excluded.payload ELSE notifications.payload END,
      out_trade_no = CASE WHEN notifications.outcome = 'unreadable' THEN excluded.out_trade_no ELSE notifications.out_trade_no END,
      outcome = CASE WHEN notifications.outcome IN ('applied', 'already_paid', 'ignored') THEN notifications.outcome ELSE excluded.outcome END,
      detail = CASE WHEN notifications.outcome IN ('applied', 'already_paid', 'ignored') THEN notifications.detail ELSE excluded.detail END
    RETURNING id),
  kept_outcome AS (${keepOutcomeSql(Prisma.sql`inbox`, { id: notification.id, outcome, detail: kept, replayed })})`
}

type Recorded = { outcome: NotificationOutcome; outTradeNo?: string | null; detail?: unknown }

/** Keeps a notification that changes nothing else. */
export async function recordNotification(
  db: Connection,
  delivery: VerifiedDelivery,
  { outcome, outTradeNo = null, detail = {} }: Recorded,
): Promise<void> {
  const parts = recordNotificationSql({ delivery, outTradeNo, outcome: Prisma.sql`${outcome}::text`, detail })
  await run(db, 'record-notification', Prisma.sql`WITH ${parts} SELECT 1`)
}
