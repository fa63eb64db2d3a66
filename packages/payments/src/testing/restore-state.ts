import { z } from 'zod'
import type { CertifiedKey } from './platform-keys.ts'
import type {
  PlatformOrder,
  PlatformRefund,
  VirtualItemRecord,
  VirtualOrderRecord,
  VirtualRefundRecord,
} from './platform-records.ts'
import { armTask, type PlatformState, remember, type Task } from './platform-state.ts'
import type { StoredRecord } from './platform-store.ts'
import type { SentMessage } from './platform-types.ts'

/** A value that the platform wrote itself: present, its shape is trusted. */
const stored = <Value>() => z.custom<Value>((value) => value !== null && value !== undefined)

/** What an order and a refund lack that an earlier version wrote. */
const orderBefore = { deviceId: null, limitPay: [], isProfitSharing: false } as const
const refundBefore = { request: '', fundsAccount: 'AVAILABLE', from: [] } as const

const restore: Record<StoredRecord['kind'], (state: PlatformState, record: StoredRecord) => void> = {
  order: (state, { key, value }) =>
    state.orders.set(key, { ...orderBefore, ...stored<PlatformOrder>().parse(value) }),
  refund: (state, { key, value }) =>
    state.refunds.set(key, { ...refundBefore, ...stored<PlatformRefund>().parse(value) }),
  notification: (state, { key, value }) => state.notificationIds.set(key, z.string().parse(value)),
  message: (state, { value }) => remember(state.messages, stored<SentMessage>().parse(value)),
  shipped: (state, { key }) => state.shipped.add(key),
  bill: (state, { key, value }) => state.bills.set(key, z.string().parse(value)),
  certificate: ({ keys }, { key, value }) => {
    if (!keys.certificates.some(({ serial }) => serial === key))
      keys.certificates.unshift(stored<CertifiedKey>().parse(value))
  },
  virtual_order: ({ virtual }, { key, value }) =>
    virtual.orders.set(key, stored<VirtualOrderRecord>().parse(value)),
  virtual_refund: ({ virtual }, { key, value }) =>
    virtual.refunds.set(key, stored<VirtualRefundRecord>().parse(value)),
  virtual_item: ({ virtual }, { key, value }) =>
    virtual.items.set(key, stored<VirtualItemRecord>().parse(value)),
  task: (state, { key, value }) => armTask(state, key, stored<{ task: Task; dueAt: Date }>().parse(value)),
}

/** Restores what the store holds from before the restart. */
export function restoreState(state: PlatformState): void {
  for (const record of state.store.read()) restore[record.kind](state, record)
}
