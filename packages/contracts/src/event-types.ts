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
