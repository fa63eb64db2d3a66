import { type Part, Prisma, part, reading } from '@meridian/db'
import { keepOutcomePart } from './record-notification.ts'

/**
 * Keeps notifications that are new and were applied at once, as the part `inbox`: `source` has the payments that were
 * applied, `deliveries` the columns of every delivery, each under its paid_number. Their first outcome stands in the row
 * itself, so that the history begins with the second. One that is kept already makes the statement fail.
 */
export const keepAppliedPart = <const Source extends string>(
  source: Source,
): Part<'inbox', Source | 'deliveries'> =>
  part(
    'inbox',
    [source, 'deliveries'],
    Prisma.sql`
    INSERT INTO notifications (id, event_type, serial, headers, body, payload, outcome, first_outcome, out_trade_no)
    SELECT deliveries.id, event_type, serial, headers::jsonb, body, payload::jsonb, 'applied', 'applied', out_trade_no
    FROM ${Prisma.raw(source)} JOIN deliveries USING (paid_number)`,
  )

/**
 * Counts notifications that are kept and done and were delivered once more, as the parts `inbox` and `kept_outcome`:
 * `source` has locked each, and has its notification_id.
 */
export const countRepeatsParts = <const Source extends string>(
  source: Source,
): readonly [Part<'inbox', Source>, Part<'kept_outcome', 'inbox'>] => [
  part(
    'inbox',
    [source],
    Prisma.sql`
    UPDATE notifications n SET deliveries = n.deliveries + 1, last_at = business_now()
    FROM ${Prisma.raw(source)} r WHERE n.id = r.notification_id RETURNING n.id`,
  ),
  keepOutcomePart({ outcome: reading([], Prisma.sql`'already_paid'`), detail: '{}' }),
]
