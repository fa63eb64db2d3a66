import { createHash } from 'node:crypto'
import { finalOutcomes, isStorableJson, type NotificationOutcome, STORABLE_LEVELS } from '@meridian/contracts'
import {
  type Connection,
  execute,
  type Part,
  type Pool,
  Prisma,
  part,
  type Reading,
  reading,
  statement,
} from '@meridian/db'
import type { HeaderBag, SignedOrigin, VerifiedNotification, VerifiedPush } from '@meridian/payments'
import { raiseAlertPart } from '../alerts/write-alert.ts'

/** What PostgreSQL refuses, to be replaced wherever it occurs. */
const unstorable = /[\0\p{Surrogate}]/gu

const storableText = (text: string): string => text.replace(unstorable, '\u{fffd}')

function storable(value: unknown, level = 0): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (level === STORABLE_LEVELS) return '…'
  if (Array.isArray(value)) return value.map((part) => storable(part, level + 1))
  const parts = Object.entries(value).map(([key, part]) => [storableText(key), storable(part, level + 1)])
  return Object.fromEntries(parts)
}

/**
 * A decrypted payload as JSON that the database takes: what it cannot hold is replaced, too deep nesting cut off. The
 * bytes beside it stay as they came, and what is processed is read from those.
 */
const storableJson = (payload: unknown): string =>
  JSON.stringify(isStorableJson(payload) ? payload : storable(payload))

/** What the platform told us, by either channel. */
export type VerifiedMessage = VerifiedNotification | VerifiedPush

/** A message whose signature held, with the bytes that prove it; `headers` of a push is what stands in its address. */
export type VerifiedDelivery = {
  notification: VerifiedMessage
  headers: HeaderBag
  body: Uint8Array
  /** Read from the inbox again, not delivered again. */
  replayed?: boolean
}

type Entry<Reads extends string> = {
  delivery: VerifiedDelivery
  outTradeNo: string | null
  /** An expression of type text. */
  outcome: Reading<Reads>
  detail?: unknown
}

const evidence = [
  'wechatpay-timestamp',
  'wechatpay-nonce',
  'wechatpay-signature',
  'wechatpay-serial',
  'wechatpay-signature-type',
  'request-id',
  // Of a push, in its address; the openid that stands there too is not kept.
  'timestamp',
  'nonce',
  'msg_signature',
  'encrypt_type',
]

/** The headers that prove a delivery. */
const evidenceOf = (headers: HeaderBag) =>
  Object.fromEntries(evidence.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))

/** A delivery is repeated fifteen times, and by a stranger as often as it is fresh: as many outcomes are kept. */
const keptOutcomes = 200

type Outcome<Reads extends string> = {
  outcome: Reading<Reads>
  detail: string
  replayed?: boolean
}

/**
 * The one writer of the history of outcomes, as the part `kept_outcome`: what became of the notifications in the part
 * `inbox` this time, whatever their rows say. What a person replays is always kept.
 */
export const keepOutcomePart = <Reads extends string>({
  outcome,
  detail,
  replayed = false,
}: Outcome<Reads>): Part<'kept_outcome', 'inbox' | Reads> =>
  part(
    'kept_outcome',
    ['inbox', ...outcome.reads],
    Prisma.sql`
  INSERT INTO notification_outcomes (notification_id, outcome, detail, replayed)
  SELECT inbox.id, (${outcome.sql})::notification_outcome, ${detail}::jsonb, ${replayed}::boolean FROM inbox
  WHERE ${replayed}::boolean
    OR (SELECT count(*) FROM notification_outcomes WHERE notification_id = inbox.id) < ${keptOutcomes}`,
  )

const done = finalOutcomes.map((outcome) => `'${outcome}'`).join(', ')

/** Being seen is not being done: with any other outcome the next delivery is processed afresh (SPEC §3). */
export const isDoneSql = (notifications: string): Prisma.Sql =>
  Prisma.raw(`${notifications}.outcome IN (${done})`)

type InboxParts<Reads extends string> = readonly [Part<'inbox', Reads>, Part<'kept_outcome', 'inbox' | Reads>]

/**
 * The one writer of the inbox, as two parts of a statement: `inbox` keeps the notification once per platform id, later
 * deliveries are counted and may change an outcome that was not final; `kept_outcome` appends what became of it this
 * time.
 */
export const recordNotificationParts = <Reads extends string>({
  delivery,
  outTradeNo,
  outcome,
  detail,
}: Entry<Reads>): InboxParts<Reads> => {
  const { notification, headers, body, replayed = false } = delivery
  const kept = JSON.stringify(detail ?? {})
  const inbox = Prisma.sql`
    INSERT INTO notifications (id, event_type, serial, headers, body, payload, outcome, out_trade_no, detail, deliveries)
    VALUES (${notification.id}, ${notification.eventType}, ${notification.serial},
            ${JSON.stringify(evidenceOf(headers))}::jsonb, ${Buffer.from(body)}::bytea,
            ${storableJson(notification.payload)}::jsonb, (${outcome.sql})::notification_outcome, ${outTradeNo},
            ${kept}::jsonb, ${replayed ? 0 : 1})
    ON CONFLICT (id) DO UPDATE SET
      deliveries = notifications.deliveries + excluded.deliveries,
      last_at = CASE WHEN excluded.deliveries = 0 THEN notifications.last_at ELSE business_now() END,
      payload = CASE WHEN notifications.outcome = 'unreadable' THEN excluded.payload ELSE notifications.payload END,
      out_trade_no = CASE WHEN notifications.outcome = 'unreadable' THEN excluded.out_trade_no ELSE notifications.out_trade_no END,
      outcome = CASE WHEN ${isDoneSql('notifications')} THEN notifications.outcome ELSE excluded.outcome END,
      detail = CASE WHEN ${isDoneSql('notifications')} THEN notifications.detail ELSE excluded.detail END
    RETURNING id, outcome`
  return [part('inbox', outcome.reads, inbox), keepOutcomePart({ outcome, detail: kept, replayed })]
}

/** What the inbox keeps of a delivery, by column and as its type. */
export const deliveryColumns = {
  id: ['text', ({ notification }) => notification.id],
  event_type: ['text', ({ notification }) => notification.eventType],
  serial: ['text', ({ notification }) => notification.serial],
  headers: ['text', ({ headers }) => JSON.stringify(evidenceOf(headers))],
  body: ['bytea', ({ body }) => Buffer.from(body)],
  payload: ['text', ({ notification }) => storableJson(notification.payload)],
} as const satisfies Record<string, readonly [string, (delivery: VerifiedDelivery) => unknown]>

type Recorded = { outcome: NotificationOutcome; outTradeNo?: string | null; detail?: unknown }

export const recordNotificationStatement = (
  delivery: VerifiedDelivery,
  { outcome, outTradeNo = null, detail = {} }: Recorded,
) =>
  statement({
    name: 'record-notification',
    parts: recordNotificationParts({
      delivery,
      outTradeNo,
      outcome: reading([], Prisma.sql`${outcome}::text`),
      detail,
    }),
  })

/** Keeps a notification that changes nothing else. */
export async function recordNotification(
  db: Connection,
  delivery: VerifiedDelivery,
  recorded: Recorded,
): Promise<void> {
  await execute(db, recordNotificationStatement(delivery, recorded))
}

/** A probe of the platform is over: the number that it told exists on neither side. Kept as ignored, once. */
export async function endAsProbe(db: Connection, id: string): Promise<void> {
  const detail = JSON.stringify({ probe: true })
  const inbox = Prisma.sql`
    UPDATE notifications SET outcome = 'ignored', detail = ${detail}::jsonb
    WHERE id = ${id} AND outcome = 'order_unknown' RETURNING id`
  const parts = [
    part('inbox', [], inbox),
    keepOutcomePart({ outcome: reading([], Prisma.sql`'ignored'`), detail }),
  ] as const
  await execute(db, statement({ name: 'end-as-probe', parts }))
}

/** A delivery whose signature held and that cannot be processed, and why not. */
type UnreadableDelivery = {
  origin: SignedOrigin
  headers: HeaderBag
  body: Uint8Array
  reason: string
}

/** Nobody but the platform can sign one, so that these are few; 1,000 of 64 KiB are 64 MiB at most. */
const keptUnreadable = 1000

const nameOf = (body: Uint8Array): string =>
  `unreadable-${createHash('sha256').update(body).digest('hex').slice(0, 40)}`

/**
 * Keeps the bytes in the inbox and raises one alert per reason. Under the platform's id where it gave a usable one, so
 * that a later delivery or a replay of it is processed there.
 */
export async function keepUnreadable(pool: Pool, delivery: UnreadableDelivery): Promise<void> {
  const { origin, headers, body, reason } = delivery
  const id = origin.id ?? nameOf(body)
  const detail = JSON.stringify({ reason })
  const inbox = Prisma.sql`
      INSERT INTO notifications (id, event_type, serial, headers, body, payload, outcome, detail)
      SELECT ${id}, ${origin.eventType ?? 'unreadable'}, ${origin.serial}, ${JSON.stringify(evidenceOf(headers))}::jsonb,
        ${Buffer.from(body)}::bytea, '{}'::jsonb, 'unreadable', ${detail}::jsonb
      WHERE EXISTS (SELECT 1 FROM notifications WHERE id = ${id})
        OR (SELECT count(*) FROM notifications WHERE outcome = 'unreadable') < ${keptUnreadable}
      ON CONFLICT (id) DO UPDATE SET deliveries = notifications.deliveries + 1, last_at = business_now()
      RETURNING id`
  const parts = [
    raiseAlertPart('notification_unreadable', reason, { notification: id, reason }),
    part('inbox', [], inbox),
    keepOutcomePart({ outcome: reading([], Prisma.sql`'unreadable'`), detail }),
  ] as const
  await execute(pool, statement({ name: 'keep-unreadable-notification', parts }))
}
