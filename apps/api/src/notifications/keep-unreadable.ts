import { createHash } from 'node:crypto'
import { execute, type Pool, Prisma, part, reading, statement } from '@meridian/db'
import type { HeaderBag, SignedOrigin } from '@meridian/payments'
import { raiseAlertPart } from '../alerts/write-alert.ts'
import { evidenceOf, keepOutcomePart } from './record-notification.ts'

/** A delivery whose signature held and that cannot be processed, and why not. */
export type UnreadableDelivery = {
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
    keepOutcomePart({ id, outcome: reading([], Prisma.sql`'unreadable'`), detail }),
  ] as const
  await execute(pool, statement({ name: 'keep-unreadable-notification', parts }))
}
