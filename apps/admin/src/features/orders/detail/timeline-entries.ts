import type { OrderDetail, OrderEvent } from '@meridian/contracts'

/** One point in an order's line of time, wherever it is kept. */
export type TimelineEntry = { key: string; at: Date } & (
  | { from: 'event'; event: OrderEvent }
  | { from: 'notification'; notification: OrderDetail['notifications'][number] }
  | { from: 'grant'; grant: OrderDetail['grants'][number] }
  | { from: 'refund'; refund: OrderDetail['refunds'][number] }
  | { from: 'act'; act: OrderDetail['acts'][number] }
)

/** A question tells of the sync that asked it, but not that an operator wanted the order closed. */
const tells = (event: OrderEvent, { requestId, action }: OrderDetail['acts'][number]): boolean =>
  event.requestId === requestId && (event.kind !== 'ask' || action === 'order.sync')

type Happened = Pick<OrderDetail, 'events' | 'notifications' | 'grants' | 'refunds' | 'acts'>

/**
 * Events, notifications, grants, refunds and operators' acts in one line, newest first. What one transaction wrote
 * bears one instant: of that, the effect stands before its cause, and below are causes before effects. An act that left an event of its own, and a refund that somebody asked for, stand there once.
 */
export function timelineOf({ events, notifications, grants, refunds, acts }: Happened): TimelineEntry[] {
  const asked = new Set(events.map(({ detail }) => detail['out_refund_no']))
  const entries: TimelineEntry[] = [
    ...notifications.map((notification) => ({
      key: `notification-${notification.id}`,
      at: notification.firstAt,
      from: 'notification' as const,
      notification,
    })),
    ...events.map((event) => ({ key: `event-${event.id}`, at: event.at, from: 'event' as const, event })),
    ...grants.map((grant) => ({
      key: `grant-${grant.seq}`,
      at: grant.createdAt,
      from: 'grant' as const,
      grant,
    })),
    ...refunds
      .filter(({ outRefundNo }) => !asked.has(outRefundNo))
      .map((refund) => ({
        key: `refund-${refund.outRefundNo}`,
        at: refund.createdAt,
        from: 'refund' as const,
        refund,
      })),
    ...acts
      .filter((act) => !events.some((event) => tells(event, act)))
      .map((act) => ({ key: `act-${act.id}`, at: act.at, from: 'act' as const, act })),
  ]
  return entries.toReversed().toSorted((one, other) => other.at.getTime() - one.at.getTime())
}
