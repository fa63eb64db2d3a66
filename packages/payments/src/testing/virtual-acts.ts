import { announce } from './deliver-notifications.ts'
import { type FaultRule, noFaults } from './fault-injection.ts'
import type { VirtualOrderRecord, VirtualRefundRecord } from './platform-records.ts'
import type { PlatformState } from './platform-state.ts'
import type { PlatformCore } from './platform-types.ts'
import { askOpinion, pushedEvent } from './push-events.ts'
import { pushMessage } from './push-messages.ts'
import {
  closeSheet,
  endVirtualRefund,
  openSheet,
  paySheet,
  refundByApple,
  saveItem,
} from './virtual-orders.ts'

type VirtualActs = Pick<
  PlatformCore,
  | 'usePush'
  | 'plantItem'
  | 'openSheet'
  | 'paySheet'
  | 'putSheetAway'
  | 'requestVirtualPayment'
  | 'refundByApple'
  | 'askOpinion'
  | 'endVirtualRefund'
  | 'pushEvent'
  | 'pushEventOf'
  | 'push'
  | 'settleVirtualAfter'
  | 'pushAgain'
  | 'deliveryPush'
  | 'refundPush'
  | 'virtual'
>

/** When an item was published: one of today sells ten minutes later (virtual payment §2.5, -15014). */
const publishedAt = { long_ago: () => new Date(0), now: (now: Date) => now, never: () => null }

/** What a platform can be told and asked of virtual payment. */
export const virtualActs = (state: PlatformState): VirtualActs => ({
  virtual: state.virtual,
  usePush: (push) => {
    state.virtual.push = push && { format: 'json', ...push }
  },
  plantItem: ({ id, priceFen, published = 'long_ago' }) =>
    saveItem(state, { id, priceFen, publishedAt: publishedAt[published](state.now()) }),
  openSheet: (params, payer) => openSheet(state, params, payer),
  paySheet: async (number, changes) => paySheet(state, sheetNamed(state, number), changes),
  putSheetAway: (number) => closeSheet(state, sheetNamed(state, number)),
  requestVirtualPayment: async (params, { silent, once, paidAt, ...payer }) =>
    paySheet(state, openSheet(state, params, payer), {
      ...(silent !== undefined && { silent }),
      ...(once !== undefined && { once }),
      ...(paidAt !== undefined && { paidAt }),
    }),
  refundByApple: async (number) => refundByApple(state, sheetNamed(state, number)),
  askOpinion: async (number, reason) => askOpinion(state, sheetNamed(state, number), reason),
  endVirtualRefund: async (number, end) => endVirtualRefund(state, refundNamed(state, number), end),
  pushEvent: (event) => announce(state, { about: { event, number: '' }, once: true }),
  pushEventOf: async (kind, number) => {
    const order = number === undefined ? null : sheetNamed(state, number)
    const about = { event: pushedEvent(state, kind, order), number: number ?? '' }
    return announce(state, { about, once: true })
  },
  push: (event) => pushMessage(state, { event, number: '' }, { faults: noFaults, attempt: 1 }),
  settleVirtualAfter: (ms) => {
    state.virtual.settlesAfterMs = ms
  },
  pushAgain: async (number) =>
    announce(state, { about: { delivery: sheetNamed(state, number) }, once: true }),
  deliveryPush: (number, ...kinds) => {
    const faults = { has: (kind: FaultRule['kind']) => kinds.includes(kind), rule: () => undefined }
    return pushMessage(state, { delivery: sheetNamed(state, number) }, { faults, attempt: 1 })
  },
  refundPush: (number) =>
    pushMessage(state, { virtualRefund: refundNamed(state, number) }, { faults: noFaults, attempt: 1 }),
})

function sheetNamed({ virtual }: PlatformState, number: string): VirtualOrderRecord {
  const order = virtual.orders.get(number)
  if (!order) throw new RangeError('the platform knows no such number')
  return order
}

function refundNamed({ virtual }: PlatformState, number: string): VirtualRefundRecord {
  const refund = virtual.refunds.get(number)
  if (!refund) throw new RangeError('the platform knows no such refund')
  return refund
}
