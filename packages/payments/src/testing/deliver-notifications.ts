import { setTimeout as wait } from 'node:timers/promises'
import { paymentNotification, refundNotification } from './build-notification.ts'
import { type PlatformState, remember } from './platform-state.ts'
import type {
  Delivery,
  Notification,
  NotificationChanges,
  PlatformOrder,
  PlatformRefund,
} from './platform-types.ts'
import { weatheredFacts } from './transaction-object.ts'
import type { Weathered } from './weather.ts'

/** The pauses before each repeat, in seconds: 15 repeats within 24 hours and 4 minutes (protocol §5.4). */
export const REPEAT_AFTER_SECONDS = [
  15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10_800, 10_800, 10_800, 21_600, 21_600,
] as const

const ANSWER_WITHIN_MS = 5_000

/** Posts one notification and takes the answer down; nobody answering is an answer too. */
export async function deliver(
  state: PlatformState,
  notification: Notification,
  attempt = 1,
): Promise<Delivery> {
  const { url, headers, body } = notification
  const answered = await fetch(url, {
    method: 'POST',
    headers: { ...headers, accept: '*/*', 'user-agent': 'Mozilla/4.0' },
    body: Buffer.from(body, 'utf8'),
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  })
    .then(async (response) => ({ status: response.status, answer: await response.text() }))
    .catch(() => ({ status: null, answer: '' }))
  const delivery = { ...notification, attempt, ...answered }
  remember(state.deliveries, delivery)
  return delivery
}

export type Announcement = {
  build: (changes: NotificationChanges) => Notification
  order: PlatformOrder
  /** Post once only, without the repeat schedule. */
  once: boolean
}

export const announcePayment = (state: PlatformState, order: PlatformOrder): Announcement['build'] => {
  const paidAs = { ...order, payments: [...order.payments], state: 'SUCCESS' as const }
  return (changes) => paymentNotification(state, paidAs, changes)
}

export const announceRefund = (state: PlatformState, refund: PlatformRefund): Announcement['build'] => {
  const settled = { ...refund }
  return (changes) => refundNotification(state, settled, changes)
}

/** Tells the merchant, through the weather; where the answer is not 200 or 204, again on the schedule. */
export async function announce(
  state: PlatformState,
  announcement: Announcement,
  attempt = 1,
): Promise<Delivery[]> {
  const weather = state.weather.take('notification', announcement.order.outTradeNo)
  const delayMs = weather.rule('delay')?.ms ?? 0
  if (delayMs > 0) await wait(delayMs)
  const depart = () => sendOff(state, announcement, { weather, attempt })
  if (weather.has('drop')) return depart()
  if (weather.has('reorder')) {
    holdBack(state, depart)
    return []
  }
  const deliveries = await depart()
  for (const overtaken of [...state.held]) if (state.held.delete(overtaken)) await overtaken()
  return deliveries
}

type Departure = { weather: Weathered; attempt: number }

async function sendOff(
  state: PlatformState,
  announcement: Announcement,
  { weather, attempt }: Departure,
): Promise<Delivery[]> {
  const { build, order, once } = announcement
  const built = () => build(faultsOf(order, weather))
  const posted = () =>
    weather.has('drop') ? lose(state, built(), attempt) : deliver(state, built(), attempt)
  const deliveries = await Promise.all(Array.from({ length: weather.has('duplicate') ? 2 : 1 }, posted))
  const accepted = deliveries.some(({ status }) => status === 200 || status === 204)
  if (!accepted && !once) scheduleRepeat(state, announcement, attempt)
  return deliveries
}

function lose(state: PlatformState, notification: Notification, attempt: number): Delivery {
  const lost = { ...notification, attempt, status: null, answer: '' }
  remember(state.deliveries, lost)
  return lost
}

const HELD_AT_MOST_SECONDS = 60

/** Until the next notification has gone, or for a minute where none follows. */
function holdBack(state: PlatformState, depart: () => Promise<unknown>): void {
  state.held.add(depart)
  later(state, HELD_AT_MOST_SECONDS, () => {
    if (state.held.delete(depart)) void depart()
  })
}

function faultsOf(order: PlatformOrder, weather: Weathered): NotificationChanges {
  return {
    ...weatheredFacts(order, weather),
    ...(weather.has('probe') && { probe: true }),
    ...(weather.has('wrong_key') && { wrongKey: true }),
    ...(weather.has('corrupt_byte') && { corruptByte: true }),
    ...(weather.has('unknown_serial') && { serial: 'PUB_KEY_ID_0000000000000000000000000000000000' }),
    ...(weather.has('clock_skew') && { clockSkewSeconds: weather.rule('clock_skew')?.seconds ?? -600 }),
  }
}

function scheduleRepeat(state: PlatformState, announcement: Announcement, attempt: number): void {
  const seconds = REPEAT_AFTER_SECONDS[attempt - 1]
  if (seconds === undefined) return
  later(state, seconds, () => void announce(state, announcement, attempt + 1))
}

/** On the platform's clock, which may run faster; never once the schedule was stopped. */
function later(state: PlatformState, seconds: number, act: () => void): void {
  const timer = setTimeout(
    () => {
      state.timers.delete(timer)
      act()
    },
    (seconds * 1000) / state.scheduleSpeed,
  )
  timer.unref()
  state.timers.add(timer)
}
