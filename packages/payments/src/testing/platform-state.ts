import { randomBytes } from 'node:crypto'
import type { FaultInjection } from './fault-injection.ts'
import type { Delivery } from './notification-types.ts'
import type { PlatformClock } from './platform-clock.ts'
import type { PlatformKeys } from './platform-keys.ts'
import type {
  PlatformOrder,
  PlatformRefund,
  PushAbout,
  VirtualOrderRecord,
  VirtualState,
} from './platform-records.ts'
import type { PlatformStore } from './platform-store.ts'
import type { BillDifference, KeyMode, SeenRequest, SentMessage } from './platform-types.ts'

type LoginCode = { openid: string; madeAt: Date; used: boolean }

/** One share of notifications for good, or the seven days: how much of them had passed at a moment. */
export type KeyRamp = { share: number } | { passedMs: number; at: Date }

/** What the merchant is to be told: of an order as it was paid, or of a refund as it ended. */
export type Announcement = {
  about: { payment: PlatformOrder } | { refund: PlatformRefund } | PushAbout
  /** Post once only, without the repeat schedule. */
  once: boolean
}

/** Something that the platform does by itself, by its own clock. */
export type Task =
  | { act: 'announce'; announcement: Announcement; attempt: number }
  | { act: 'settle'; outRefundNo: string; end: 'SUCCESS' | 'CLOSED' | 'ABNORMAL' }
  | { act: 'end_virtual_refund'; number: string; end: 'SUCCESS' | 'FAILED' }
  | { act: 'close_sheet'; number: string }
type ScheduledTask = { dueAt: Date; task: Task; timer: NodeJS.Timeout }

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
  virtual: VirtualState
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
  sheetsCloseAfterMs: number | null
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

/** The same of an order of virtual payment. */
export function saveVirtualOrder(state: PlatformState, order: VirtualOrderRecord): void {
  state.virtual.orders.set(order.number, order)
  state.store.save({ kind: 'virtual_order', key: order.number, value: order })
}

/** The longest delay of a Node timer; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** Runs a task after a delay by the platform's clock, also across a restart. Returns the id of the task. */
export function scheduleTask(state: PlatformState, task: Task, inMs: number): string {
  const id = randomText(8)
  const dueAt = new Date(state.now().getTime() + inMs)
  state.store.save({ kind: 'task', key: id, value: { task, dueAt } })
  armTask(state, id, { task, dueAt })
  return id
}

/** Sets the timer of a stored task, in place of one that was set by an earlier reading of the clock. */
export function armTask(
  state: PlatformState,
  id: string,
  { task, dueAt }: { task: Task; dueAt: Date },
): void {
  clearTimeout(state.scheduled.get(id)?.timer)
  const inMs = Math.min(longestTimerMs, Math.max(0, dueAt.getTime() - state.now().getTime()))
  const timer = setTimeout(() => void runTask(state, id), inMs)
  timer.unref()
  state.scheduled.set(id, { task, dueAt, timer })
}

/** Takes a task off the schedule; false where it has run or was cancelled already. */
export function cancelTask(state: PlatformState, id: string): boolean {
  const scheduled = state.scheduled.get(id)
  if (!scheduled) return false
  clearTimeout(scheduled.timer)
  state.scheduled.delete(id)
  return true
}

/** Its record is deleted after it has run: where the program dies before, it runs again. */
async function runTask(state: PlatformState, id: string): Promise<void> {
  const task = state.scheduled.get(id)?.task
  if (!task || !cancelTask(state, id)) return
  const depart = state.held.get(id)
  state.held.delete(id)
  await (depart ? depart() : state.perform(task))
  state.store.save({ kind: 'task', key: id, value: null })
}

/** Runs a task now; where the program dies before it is done, it runs after the restart. */
export async function runRecoverably<Result>(
  state: PlatformState,
  task: Task,
  work: () => Promise<Result>,
): Promise<Result> {
  const key = randomText(8)
  state.store.save({ kind: 'task', key, value: { task, dueAt: state.now() } })
  const result = await work()
  state.store.save({ kind: 'task', key, value: null })
  return result
}

/** After a move of the clock: runs what is due, in the order of its time, and sets the timers of the rest anew. */
export async function runDueTasks(state: PlatformState): Promise<void> {
  const tasks = [...state.scheduled].sort(([, one], [, other]) => one.dueAt.getTime() - other.dueAt.getTime())
  for (const [id, scheduled] of tasks) if (scheduled.dueAt > state.now()) armTask(state, id, scheduled)
  for (const [id, { dueAt }] of tasks) if (dueAt <= state.now()) await runTask(state, id)
}

export function stopSchedule(state: PlatformState): void {
  for (const { timer } of state.scheduled.values()) clearTimeout(timer)
  state.scheduled.clear()
  state.held.clear()
}
