import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PaymentSettings } from '../check-settings.ts'
import type { PaymentParams } from '../payments.ts'
import type { VirtualPaymentParams, VirtualSettings } from '../virtual/virtual-payments.ts'
import type { FaultInjection, FaultRule } from './fault-injection.ts'
import type { Delivery, Notification, NotificationChanges } from './notification-types.ts'
import type { PlatformKeys } from './platform-keys.ts'
import type {
  PlatformOrder,
  PlatformRefund,
  PushEventKind,
  RefundOpinionAnswer,
  VirtualItemRecord,
  VirtualOrderRecord,
  VirtualPayer,
  VirtualRefundRecord,
  VirtualState,
} from './platform-records.ts'
import type { PlatformStore } from './platform-store.ts'

/** Which keys sign: the public key, a certificate, or now one, now the other as during a change (protocol §2.3). */
export type KeyMode = 'public_key' | 'certificate' | 'mixed'

export type RampReport = {
  /** 1–7 during the seven days, 7 for ever after; null where one share was set. */
  day: number | null
  /** Of the notifications, under the public key. */
  share: number
}

/** Which keys sign now; day and share mean something in the mode `mixed` only. */
export type KeysInUse = { mode: KeyMode } & RampReport

/** How a platform begins; every option has a usual value. */
export type PlatformOptions = {
  /** Where it keeps what must outlive its program; nowhere when absent. */
  store?: PlatformStore
  keyMode?: KeyMode
  keys?: PlatformKeys
  now?: () => Date
  /** How much faster than the real one the notification schedule runs: 1 is real time. */
  scheduleSpeed?: number
  /** When a refund in the works ends by itself; null: only when told to. One second when absent. */
  refundsSettleAfterMs?: number | null
  /** When an unpaid number of virtual payment is closed by itself; never when absent (virtual payment §3.3). */
  sheetsCloseAfterMs?: number | null
  /** Bills of today and before nine o'clock too. */
  billsAtOnce?: boolean
}

/** An order that nobody asked a prepay for. */
export type PlantedOrder = { outTradeNo: string; amountFen: number; payerOpenid: string }

/** How a payment differs from the usual one: of an open order, once, told to the merchant. */
export type PaymentChanges = {
  /** Pay although the order is closed or past its expiry, as a race on the real platform can. */
  late?: boolean
  /** A second payment of an order that is paid already. */
  again?: boolean
  /** Do not tell the merchant. */
  silent?: boolean
  /** Post once only, without the repeat schedule. */
  once?: boolean
  paidAt?: Date
}

export type SheetChanges = Pick<PaymentChanges, 'silent' | 'once' | 'paidAt'>

/** A request that the platform was sent, with the status that it answered. */
export type SeenRequest = {
  at: Date
  method: string
  path: string
  headers: Record<string, string>
  body: string
  status: number
}

/** What a bill says otherwise than the orders. */
export type BillDifference = {
  /** `fee_by_type`: every fee is named by its business type, and its business name says nothing of it. */
  kind: 'missing' | 'twice' | 'wrong_amount' | 'fee_by_type'
  /** The order whose payment row it is, or */
  outTradeNo?: string | undefined
  /** the refund whose row it is. */
  outRefundNo?: string | undefined
  /** For `wrong_amount`; 1 when absent. */
  byFen?: number | undefined
}

/** A subscribe message that reached its user (protocol §9.4). */
export type SentMessage = {
  openid: string
  templateId: string
  page?: string
  data: Record<string, { value: string }>
  at: Date
}

/** What a merchant needs to talk to this platform. */
export type MerchantSettings = PaymentSettings & {
  appSecret: string
  apiBaseUrl: string
  virtual: VirtualSettings
}

/** What `http.createServer` takes. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** The platform without a server: mount `listener` wherever you like. */
export type PlatformCore = {
  readonly keys: PlatformKeys
  readonly listener: Listener
  /** True for the paths that the listener serves: mount extra routes beside it. */
  serves(path: string): boolean
  /** What a merchant needs to talk to it at this address. */
  settings(baseUrl: string, overrides?: Partial<MerchantSettings>): MerchantSettings
  /** A code as `wx.login` gives it, for this user; works once within five minutes (protocol §9.1). */
  loginCode(openid: string): string
  /** Makes an unpaid order without a request: for loads, and for pasts that a test makes up. */
  plantOrder(planted: PlantedOrder): void
  /** Pays an order as its payer and tells the merchant. Throws PhoneError where the sheet would not open. */
  pay(outTradeNo: string, changes?: PaymentChanges): Promise<Delivery[]>
  /** What `wx.requestPayment` does: checks the signature of the params for this payer, then pays. */
  requestPayment(params: PaymentParams, payer: { openid: string } & PaymentChanges): Promise<Delivery[]>
  /** The notification of a paid order as it would be posted, or with these changes (protocol §5). */
  notification(outTradeNo: string, changes?: NotificationChanges): Notification
  /** The notification of a refund as it would be posted, or with these changes (protocol §6.5). */
  refundNotification(outRefundNo: string, changes?: NotificationChanges): Notification
  /** Posts a notification once; answers what the merchant said. */
  deliver(notification: Notification): Promise<Delivery>
  /** Posts the notification of a paid order again, with the same id and a new signature. */
  resend(outTradeNo: string): Promise<Delivery[]>
  /** Ends a refund that is in the works and tells the merchant. */
  settleRefund(outRefundNo: string, status?: 'SUCCESS' | 'CLOSED' | 'ABNORMAL'): Promise<Delivery[]>
  /** Where pushes of the mini-program go, and how they are written; nowhere before. */
  usePush(push: { url: string; format?: 'json' | 'xml' } | null): void
  /** Sets an item and its price; published long enough ago to sell at once, unless told otherwise. */
  plantItem(item: { id: string; priceFen: number; published?: 'long_ago' | 'now' | 'never' }): void
  /** What `wx.requestVirtualPayment` does until the payer decides: checks the call and opens the sheet. */
  openSheet(params: VirtualPaymentParams, payer: VirtualPayer): VirtualOrderRecord
  /** The payer confirms an open sheet. */
  paySheet(number: string, changes?: SheetChanges): Promise<Delivery[]>
  /** The sheet is put away for good: the platform closes its number. */
  putSheetAway(number: string): VirtualOrderRecord
  /** Opens the sheet and confirms it. */
  requestVirtualPayment(params: VirtualPaymentParams, payer: VirtualPayer & SheetChanges): Promise<Delivery[]>
  /** The user got the money back from Apple. */
  refundByApple(number: string): Promise<Delivery[]>
  /** Apple asks what the merchant thinks of a refund, up to three times; null where it gave no readable answer. */
  askOpinion(number: string, reason?: string): Promise<RefundOpinionAnswer | null>
  /** Ends a refund of virtual payment that is in the works and tells the merchant. */
  endVirtualRefund(number: string, end?: 'SUCCESS' | 'FAILED'): Promise<Delivery[]>
  /** When sums of virtual payment reach the merchant, counted from the payment; null: three days, Apple's sixty. */
  settleVirtualAfter(ms: number | null): void
  /** Pushes any event of the mini-program, once. */
  pushEvent(event: Readonly<Record<string, unknown>>): Promise<Delivery[]>
  /** Pushes a made-up event of a kind, about a number where it is about one. */
  pushEventOf(kind: PushEventKind, number?: string): Promise<Delivery[]>
  /** A push of this event as it would be posted. */
  push(event: Readonly<Record<string, unknown>>): Notification
  /** Pushes the delivery of a paid number again. */
  pushAgain(number: string): Promise<Delivery[]>
  /** The push of a number's delivery as it would be posted, or with these faults. */
  deliveryPush(number: string, ...faults: FaultRule['kind'][]): Notification
  /** The same of a refund that has ended. */
  refundPush(number: string): Notification
  readonly virtual: Pick<VirtualState, 'keys'> & {
    readonly orders: ReadonlyMap<string, VirtualOrderRecord>
    readonly refunds: ReadonlyMap<string, VirtualRefundRecord>
    readonly items: ReadonlyMap<string, VirtualItemRecord>
    readonly sessionKeys: ReadonlyMap<string, string>
  }
  readonly orders: ReadonlyMap<string, PlatformOrder>
  readonly refunds: ReadonlyMap<string, PlatformRefund>
  readonly faults: FaultInjection
  readonly requests: readonly SeenRequest[]
  readonly deliveries: readonly Delivery[]
  /** Which key signs from now on. */
  useKeyMode(mode: KeyMode): void
  /** Share of notifications signed by the newer of two keys during a change, 0–1 (protocol §2.3). */
  setRamp(share: number): void
  /**
   * Begins the change from certificates to the public key: seven days with shares of 0.1 to 100 % (protocol §2.3),
   * as much faster as the notification schedule runs. `useKeyMode('certificate')` takes it back on any of them.
   */
  startRamp(): void
  keysInUse(): KeysInUse
  /** How much faster than the real one the notification schedule and the days of a change run. */
  setScheduleSpeed(speed: number): void
  /** Makes a new platform certificate and signs with it from now on; the old one stays listed. */
  rotateCertificate(): void
  /** Bills of today and before nine o'clock too. */
  setBillsAtOnce(atOnce: boolean): void
  /** Makes the bills differ from the orders in these points. */
  plantDifferences(differences: readonly BillDifference[]): void
  readonly messages: readonly SentMessage[]
  /** Transaction ids for which shipping information was recorded. */
  readonly shipped: ReadonlySet<string>
  /** Moves its clock forward, and the merchant's `meanwhile`; then does what fell due. */
  moveClock(byMs: number, meanwhile?: () => Promise<void>): Promise<void>
  /** Sets its clock to how far the merchant's is ahead of the machine's; then does what fell due. */
  setClock(aheadMs: number): Promise<void>
  now(): Date
  /** Lets no further repeat of a notification happen, and forgets what injected faults hold back. */
  stopSchedule(): void
}

/** A platform behind a server of its own. */
export type Platform = Omit<PlatformCore, 'settings'> & {
  /** Serves both the payment and the mini-program paths. */
  readonly url: string
  settings(overrides?: Partial<MerchantSettings>): MerchantSettings
  stop(): Promise<void>
}
