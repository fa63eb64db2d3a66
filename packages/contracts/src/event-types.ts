/** What happens that other systems are told (SPEC §17); a constant of the console too, so it needs no schema library. */
export const eventTypes = [
  'order.paid',
  'order.closed',
  'order.refunded',
  'refund.succeeded',
  'subscription.changed',
  'device.bound',
  'device.unbound',
  'complaint.opened',
  'alert.opened',
] as const
export type EventTypeName = (typeof eventTypes)[number]

/** The type of a test that somebody sends from the console: no event has it, and it tells of nothing. */
export const WEBHOOK_TEST_TYPE = 'webhook.test'

/** How many times an event is sent to an endpoint before it is given up (SPEC §17). */
export const MOST_WEBHOOK_ATTEMPTS = 10
