import { z } from 'zod'
import type { CertifiedKey } from './platform-keys.ts'
import { setPlanned } from './platform-schedule.ts'
import type { PlatformState, Task } from './platform-state.ts'
import type { Kept } from './platform-store.ts'
import type { PlatformOrder, PlatformRefund, SentMessage } from './platform-types.ts'

/** The platform's own values, as it kept them itself. */
const kept = <Value>() => z.custom<Value>((value) => value !== null && value !== undefined)

const read: Record<Kept['kind'], (state: PlatformState, kept: Kept) => void> = {
  order: (state, { key, value }) => state.orders.set(key, kept<PlatformOrder>().parse(value)),
  refund: (state, { key, value }) => state.refunds.set(key, kept<PlatformRefund>().parse(value)),
  notification: (state, { key, value }) => state.notificationIds.set(key, z.string().parse(value)),
  message: (state, { value }) => state.messages.push(kept<SentMessage>().parse(value)),
  shipped: (state, { key }) => state.shipped.add(key),
  bill: (state, { key, value }) => state.bills.set(key, z.string().parse(value)),
  certificate: ({ keys }, { key, value }) => {
    if (!keys.certificates.some(({ serial }) => serial === key))
      keys.certificates.unshift(kept<CertifiedKey>().parse(value))
  },
  planned: (state, { key, value }) =>
    setPlanned(state, key, kept<{ task: Task; dueAt: Date }>().parse(value)),
}

/** Takes up what the store kept of an earlier life. */
export function recall(state: PlatformState): void {
  for (const one of state.store.read()) read[one.kind](state, one)
}
