import { z } from 'zod'
import { type EventTypeName, eventTypes } from '../event-types.ts'
import { Fen } from '../money.ts'
import { isStorableText } from '../storable.ts'
import { IntegrationOrder } from './integration.ts'

export const EventType = z.enum(eventTypes)
export type EventType = z.infer<typeof EventType>

const Instant = z.iso.datetime()
/** Counts the events of its subject from 1, without a gap. */
const seq = z.int().min(1)

/** As the order was right after the fact. */
const OrderData = z.object({ seq, order: IntegrationOrder })

/** What each type says. Never an openid, a nickname or an address. */
export const eventData = {
  'order.paid': OrderData,
  'order.closed': OrderData,
  'order.refunded': OrderData,
  'refund.succeeded': z.object({
    seq,
    out_refund_no: z.string(),
    out_trade_no: z.string(),
    user_id: z.uuid(),
    amount_fen: Fen,
    /** Days that went back with it. */
    days_taken: z.int(),
  }),
  'subscription.changed': z.object({
    seq,
    user_id: z.uuid(),
    /** Given, or taken where it is negative. */
    days: z.int(),
    cause: z.enum(['purchase', 'refund', 'trial', 'operator', 'system', 'import']),
    features: z.array(z.string()),
    /** The order whose payment or refund changed it; null where it was neither. */
    out_trade_no: z.string().nullable(),
    /** The end after the change: nothing is sent when it comes. */
    expires_at: Instant,
  }),
  'device.bound': z.object({
    seq,
    serial_number: z.string(),
    user_id: z.uuid(),
    model: z.string().nullable(),
    bound_at: Instant,
  }),
  'device.unbound': z.object({
    seq,
    serial_number: z.string(),
    user_id: z.uuid(),
    model: z.string().nullable(),
    unbound_at: Instant,
    reason: z.enum(['unbound', 'superseded', 'operator', 'erased', 'import_undone']),
  }),
  'complaint.opened': z.object({ seq, complaint_id: z.string(), out_trade_no: z.string().nullable() }),
  'alert.opened': z.object({
    seq,
    alert_id: z.string(),
    kind: z.string(),
    severity: z.enum(['info', 'warning', 'critical']),
    out_trade_no: z.string().nullable(),
  }),
} as const satisfies Record<EventTypeName, z.ZodType>

export type EventData = { [Type in EventTypeName]: z.infer<(typeof eventData)[Type]> }

/** A body as it is sent, and signed. */
export const EventBody = z.object({ type: EventType, timestamp: Instant, data: z.looseObject({ seq }) })
export type EventBody = z.infer<typeof EventBody>

/** The same for whoever polls: `id` is what a webhook has as its `webhook-id`. */
export const PolledEvent = EventBody.extend({ id: z.string() })
export type PolledEvent = z.infer<typeof PolledEvent>

export const EventQuery = z.object({
  /** The id of the last event that was taken; from the oldest that is kept where it is left out. */
  after: z.string().min(1).max(64).refine(isStorableText).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
})
export type EventQuery = z.infer<typeof EventQuery>

/** `has_more`: ask again at once. */
export const EventPage = z.object({ items: z.array(PolledEvent), has_more: z.boolean() })
export type EventPage = z.infer<typeof EventPage>
