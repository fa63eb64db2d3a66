import { setTimeout as wait } from 'node:timers/promises'
import { paymentNotification, refundNotification } from './build-notification.ts'
import type { InjectedFaults } from './fault-injection.ts'
import type { Delivery, Notification, NotificationChanges } from './notification-types.ts'
import type { PlatformOrder, PushAbout } from './platform-records.ts'
import {
  type Announcement,
  cancelTask,
  type PlatformState,
  remember,
  runRecoverably,
  saveVirtualOrder,
  scheduleTask,
} from './platform-state.ts'
import { isPushAccepted, pushedNumber, pushMessage, pushRepeatSeconds } from './push-messages.ts'
import { faultyFacts } from './transaction-object.ts'

/** The pauses before each repeat, in seconds: 15 repeats within 24 hours and 4 minutes (protocol §5.4). */
export const REPEAT_AFTER_SECONDS = [
  15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10_800, 10_800, 10_800, 21_600, 21_600,
] as const

const ANSWER_WITHIN_MS = 5_000
/** Pushes have less: what is stated for the sister product and for Apple's inquiry (virtual payment §4.3). */
const PUSH_ANSWER_WITHIN_MS = 3_000

type Turn = { attempt: number; withinMs: number }

/** Posts one notification and takes the answer down; nobody answering is an answer too. */
export async function deliver(
  state: PlatformState,
  notification: Notification,
  { attempt, withinMs }: Turn = { attempt: 1, withinMs: ANSWER_WITHIN_MS },
): Promise<Delivery> {
  const { url, headers, body } = notification
  const answered = await fetch(url, {
    method: 'POST',
    headers: { ...headers, accept: '*/*', 'user-agent': 'Mozilla/4.0' },
    body: Buffer.from(body, 'utf8'),
    redirect: 'manual',
    signal: AbortSignal.timeout(withinMs),
  })
    .then(async (response) => ({ status: response.status, answer: await response.text() }))
    .catch(() => ({ status: null, answer: '' }))
  const delivery = { ...notification, attempt, ...answered }
  remember(state.deliveries, delivery)
  return delivery
}

/** An order as it is paid at this moment: whatever happens to it later, its notification says this. */
export const paymentAsItIs = (order: PlatformOrder): Announcement['about'] => ({
  payment: { ...order, payments: [...order.payments], state: 'SUCCESS' },
})

const outTradeNoOf = ({ about }: Pick<Announcement, 'about'>): string => {
  if ('payment' in about) return about.payment.outTradeNo
  return 'refund' in about ? about.refund.outTradeNo : pushedNumber(about)
}

/** Payments and refunds of the first channel; all else is a push. */
const isPush = (about: Announcement['about']): about is PushAbout =>
  !('payment' in about) && !('refund' in about)

function build(state: PlatformState, { about }: Announcement, departure: Departure): Notification {
  if (isPush(about)) return pushMessage(state, about, departure)
  const { faults } = departure
  const order = state.orders.get(outTradeNoOf({ about }))
  const changes = order ? faultsOf(order, faults) : {}
  return 'payment' in about
    ? paymentNotification(state, about.payment, changes)
    : refundNotification(state, about.refund, changes)
}

/** Tells the merchant, with the injected faults; where the answer is not 200 or 204, again on the schedule. */
export const announce = (
  state: PlatformState,
  announcement: Announcement,
  attempt = 1,
): Promise<Delivery[]> =>
  runRecoverably(state, { act: 'announce', announcement, attempt }, () => post(state, announcement, attempt))

async function post(state: PlatformState, announcement: Announcement, attempt: number): Promise<Delivery[]> {
  const place = isPush(announcement.about) ? 'push' : 'notification'
  const faults = state.faults.take(place, outTradeNoOf(announcement))
  const delayMs = faults.rule('delay')?.ms ?? 0
  if (delayMs > 0) await wait(delayMs)
  const depart = () => sendOff(state, announcement, { faults, attempt })
  if (faults.has('drop')) return depart()
  if (faults.has('reorder')) {
    holdBack(state, { announcement, attempt }, depart)
    return []
  }
  const deliveries = await depart()
  for (const [id, overtaken] of [...state.held]) if (takeHeld(state, id)) await overtaken()
  return deliveries
}

type Departure = { faults: InjectedFaults; attempt: number }

async function sendOff(
  state: PlatformState,
  announcement: Announcement,
  departure: Departure,
): Promise<Delivery[]> {
  const { faults, attempt } = departure
  const { about } = announcement
  await state.clock.settled()
  const turn = { attempt, withinMs: isPush(about) ? PUSH_ANSWER_WITHIN_MS : ANSWER_WITHIN_MS }
  const built = () => build(state, announcement, departure)
  const posted = () => (faults.has('drop') ? lose(state, built(), attempt) : deliver(state, built(), turn))
  moveDelivery(state, about, { from: [2], to: 3 })
  const deliveries = await Promise.all(Array.from({ length: faults.has('duplicate') ? 2 : 1 }, posted))
  const accepted = deliveries.some(isPush(about) ? isPushAccepted : isAccepted)
  // An answered push of a payment means that the goods are there (virtual payment §4.3).
  moveDelivery(state, about, accepted ? { from: [2, 3], to: 4 } : { from: [3], to: 2 })
  if (!accepted && !announcement.once) scheduleRepeat(state, announcement, attempt)
  return deliveries
}

const isAccepted = ({ status }: Delivery) => status === 200 || status === 204

/** Paid (2), delivering while a push is under way (3), delivered (4): virtual payment §3.3. */
function moveDelivery(
  state: PlatformState,
  about: Announcement['about'],
  { from, to }: { from: readonly number[]; to: number },
): void {
  const order = 'delivery' in about ? state.virtual.orders.get(about.delivery.number) : undefined
  if (order && from.includes(order.status)) saveVirtualOrder(state, { ...order, status: to })
}

function lose(state: PlatformState, notification: Notification, attempt: number): Delivery {
  const lost = { ...notification, attempt, status: null, answer: '' }
  remember(state.deliveries, lost)
  return lost
}

const HELD_AT_MOST_SECONDS = 60

type Held = { announcement: Announcement; attempt: number }

/** Until the next notification has gone, or for a minute where none follows. */
function holdBack(state: PlatformState, held: Held, depart: () => Promise<unknown>): void {
  const id = scheduleTask(
    state,
    { act: 'announce', ...held },
    (HELD_AT_MOST_SECONDS * 1000) / state.scheduleSpeed,
  )
  state.held.set(id, depart)
}

function takeHeld(state: PlatformState, id: string): boolean {
  const isHeld = state.held.delete(id) && cancelTask(state, id)
  if (isHeld) state.store.save({ kind: 'task', key: id, value: null })
  return isHeld
}

function faultsOf(order: PlatformOrder, faults: InjectedFaults): NotificationChanges {
  return {
    ...faultyFacts(order, faults),
    ...(faults.has('probe') && { probe: true }),
    ...(faults.has('wrong_key') && { wrongKey: true }),
    ...(faults.has('corrupt_byte') && { corruptByte: true }),
    ...(faults.has('unknown_serial') && { serial: 'PUB_KEY_ID_0000000000000000000000000000000000' }),
    ...(faults.has('clock_skew') && { clockSkewSeconds: faults.rule('clock_skew')?.seconds ?? -600 }),
  }
}

function scheduleRepeat(state: PlatformState, announcement: Announcement, attempt: number): void {
  const pauses = isPush(announcement.about) ? pushRepeatSeconds : REPEAT_AFTER_SECONDS
  const seconds = pauses[attempt - 1]
  if (seconds === undefined) return
  const inMs = (seconds * 1000) / state.scheduleSpeed
  scheduleTask(state, { act: 'announce', announcement, attempt: attempt + 1 }, inMs)
}
