import type { OrderDetail } from '@meridian/contracts'
import { describe, expect, test } from 'vitest'
import { timelineOf } from '../src/features/orders/detail/timeline-entries.ts'

const paidAt = new Date('2026-11-20T10:00:00.001Z')
/** The ledger cuts to the millisecond what every other table rounds up. */
const cut = new Date('2026-11-20T10:00:00.000Z')

const notification: OrderDetail['notifications'][number] = {
  id: 'n',
  eventType: 'TRANSACTION.SUCCESS',
  outcome: 'applied',
  deliveries: 1,
  firstAt: paidAt,
  lastAt: paidAt,
}
const paid: OrderDetail['events'][number] = {
  id: '2',
  at: paidAt,
  kind: 'pay',
  fromStatus: 'prepay',
  toStatus: 'paid',
  channel: 'notification',
  requestId: 'delivery',
  operatorEmail: null,
  requesterEmail: null,
  detail: {},
}
const grant: OrderDetail['grants'][number] = {
  seq: 1,
  kind: 'purchase',
  days: 30,
  effectiveAt: cut,
  expiresBefore: null,
  expiresAfter: new Date('2026-12-20T10:00:00.000Z'),
  createdAt: paidAt,
}
const retried: OrderDetail['acts'][number] = {
  id: '7',
  at: paidAt,
  action: 'refund.retry',
  outRefundNo: 'R1',
  operatorEmail: 'finance@example.com',
  requestId: 'press',
}

const keysOf = (order: Partial<OrderDetail>) =>
  timelineOf({ events: [], notifications: [], grants: [], refunds: [], acts: [], ...order }).map(
    ({ key }) => key,
  )

describe('the line of time of an order', () => {
  test('shows above each other what one payment caused: the notice, the move, the days', () => {
    expect(keysOf({ events: [paid], notifications: [notification], grants: [grant] })).toEqual([
      'grant-1',
      'event-2',
      'notification-n',
    ])
  })

  test('tells an act of an operator once: as its event where it left one', () => {
    expect(keysOf({ events: [paid], acts: [retried] })).toEqual(['act-7', 'event-2'])
    expect(keysOf({ events: [{ ...paid, requestId: 'press' }], acts: [retried] })).toEqual(['event-2'])
  })

  test('tells a sync as its question, and beside a question that an operator wanted the order closed', () => {
    const asked = { ...paid, kind: 'ask', requestId: 'press' }
    const actOf = (action: string) => ({ ...retried, action })
    expect(keysOf({ events: [asked], acts: [actOf('order.sync')] })).toEqual(['event-2'])
    expect(keysOf({ events: [asked], acts: [actOf('order.close')] })).toEqual(['act-7', 'event-2'])
  })
})
