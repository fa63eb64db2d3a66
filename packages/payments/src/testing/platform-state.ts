import { randomBytes } from 'node:crypto'
import type { FaultInjection } from './fault-injection.ts'
import type { PlatformClock } from './platform-clock.ts'
import type { PlatformKeys } from './platform-keys.ts'
import type { PlatformStore } from './platform-store.ts'
import type {
  BillDifference,
  Delivery,
  KeyMode,
  PlatformOrder,
  PlatformRefund,
  SeenRequest,
  SentMessage,
} from './platform-types.ts'

export type LoginCode = { openid: string; madeAt: Date; used: boolean }

/** One share of notifications for good, or the seven days: how much of them had passed at a moment. */
export type KeyRamp = { share: number } | { passedMs: number; at: Date }

/** What the merchant is to be told: of an order as it was paid, or of a refund as it ended. */
export type Announcement = {
  about: { payment: PlatformOrder } | { refund: PlatformRefund }
  /** Post once only, without the repeat schedule. */
  once: boolean
}

/** Something that the platform does by itself, by its own clock. */
export type Task =
  | { act: 'announce'; announcement: Announcement; attempt: number }
  | { act: 'settle'; outRefundNo: string; end: 'SUCCESS' | 'CLOSED' | 'ABNORMAL' }
export type ScheduledTask = { dueAt: Date; task: Task; timer: NodeJS.Timeout }

/** Everything one platform remembers; its endpoints share it. */
export type PlatformState = {
  keys: PlatformKeys
  clock: PlatformClock
  now: () => Date
  faults: FaultInjection
  keyMode: KeyMode
  ramp: KeyRamp
  /** Millionths of a notification that the public key has yet to sign. */
  rampDebt: number
  scheduleSpeed: number
  orders: Map<string, PlatformOrder>
  refunds: Map<string, PlatformRefund>
  loginCodes: Map<string, LoginCode>
  notificationIds: Map<string, string>
  requests: SeenRequest[]
  deliveries: Delivery[]
  store: PlatformStore
  /** What it will do by itself, by id, and how. */
  scheduled: Map<string, ScheduledTask>
  perform: (task: Task) => unknown
  /** Notifications that an injected fault holds back, by the id under which they leave at the latest, as they came. */
  held: Map<string, () => Promise<unknown>>
  /** The access token in force. */
  accessToken: { value: string; madeAt: Date } | null
  messages: SentMessage[]
  shipped: Set<string>
  refundsSettleAfterMs: number | null
  billsAtOnce: boolean
  billDifferences: readonly BillDifference[]
  /** Bills of days that are over, by kind and date: they never change any more. */
  bills: Map<string, string>
  billLinks: Map<string, { bytes: Buffer; type: string; madeAt: Date }>
}

export const randomText = (bytes: number): string => randomBytes(bytes).toString('hex')

const KEPT = 2_000

/** Appends and forgets the oldest, so that a platform left running does not grow. */
export function remember<Item>(list: Item[], item: Item): void {
  list.push(item)
  if (list.length > KEPT) list.shift()
}

/** Keeps an order as it is now, before anybody is told of it. */
export function saveOrder(state: PlatformState, order: PlatformOrder): void {
  state.orders.set(order.outTradeNo, order)
  state.store.save({ kind: 'order', key: order.outTradeNo, value: order })
}

/** The same of a refund. */
export function saveRefund(state: PlatformState, refund: PlatformRefund): void {
  state.refunds.set(refund.outRefundNo, refund)
  state.store.save({ kind: 'refund', key: refund.outRefundNo, value: refund })
}
