import { randomBytes } from 'node:crypto'
import type { PlatformKeys } from './platform-keys.ts'
import type {
  BillDifference,
  Delivery,
  KeyMode,
  PlatformOrder,
  PlatformRefund,
  SeenRequest,
  SentMessage,
} from './platform-types.ts'
import type { Weather } from './weather.ts'

export type LoginCode = { openid: string; madeAt: Date; used: boolean }

/** One share of notifications for good, or the seven days: how much of them had passed at a moment. */
export type KeyRamp = { share: number } | { passedMs: number; at: Date }

/** Everything one platform remembers; its endpoints share it. */
export type PlatformState = {
  keys: PlatformKeys
  now: () => Date
  weather: Weather
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
  timers: Set<NodeJS.Timeout>
  /** Notifications that the weather holds back, in the order in which they came. */
  held: Set<() => Promise<unknown>>
  /** The access token in force. */
  accessToken: { value: string; madeAt: Date } | null
  messages: SentMessage[]
  shipped: Set<string>
  refundsSettleAfterMs: number | null
  billsAtOnce: boolean
  billDifferences: readonly BillDifference[]
  billLinks: Map<string, { bytes: Buffer; madeAt: Date }>
}

export const randomText = (bytes: number): string => randomBytes(bytes).toString('hex')

const KEPT = 2_000

/** Appends and forgets the oldest, so that a platform left running does not grow. */
export function remember<Item>(list: Item[], item: Item): void {
  list.push(item)
  if (list.length > KEPT) list.shift()
}
