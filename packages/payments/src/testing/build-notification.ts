import { chinaTime } from '../endpoints/orders.ts'
import type { Notification, NotificationChanges } from './notification-types.ts'
import type { PlatformOrder, PlatformRefund } from './platform-records.ts'
import { type PlatformState, randomText } from './platform-state.ts'
import { forgedKey, keyForNotification, sealResource, signatureHeaders } from './sign-and-seal.ts'
import { transactionObject } from './transaction-object.ts'

type Content = {
  /** What it is about: repeats of it carry the same notification id. */
  subject: string
  url: string
  outTradeNo: string
  eventType: string
  originalType: string
  summary: string
  plaintext: string
}

/** The notification of a payment, signed and encrypted afresh (protocol §5.1). */
export function paymentNotification(
  state: PlatformState,
  order: PlatformOrder,
  changes: NotificationChanges = {},
): Notification {
  const { outTradeNo, notifyUrl: url } = order
  return seal(state, changes, {
    subject: `${outTradeNo}/${order.payments.length}`,
    url,
    outTradeNo,
    eventType: 'TRANSACTION.SUCCESS',
    originalType: 'transaction',
    summary: '支付成功',
    plaintext: JSON.stringify(transactionObject(order, changes)),
  })
}

const refundEvents = {
  SUCCESS: { eventType: 'REFUND.SUCCESS', summary: '退款成功' },
  ABNORMAL: { eventType: 'REFUND.ABNORMAL', summary: '退款异常' },
  CLOSED: { eventType: 'REFUND.CLOSED', summary: '退款关闭' },
  PROCESSING: { eventType: 'REFUND.SUCCESS', summary: '退款处理中' },
} as const

/** The notification of a refund's end; it says `refund_status` (protocol §6.5). */
export function refundNotification(
  state: PlatformState,
  refund: PlatformRefund,
  changes: NotificationChanges = {},
): Notification {
  const { outTradeNo, succeededAt } = refund
  return seal(state, changes, {
    ...refundEvents[refund.status],
    subject: `${refund.outRefundNo}/${refund.status}`,
    url: refund.notifyUrl ?? state.orders.get(outTradeNo)?.notifyUrl ?? '',
    outTradeNo,
    originalType: 'refund',
    plaintext: JSON.stringify({
      mchid: changes.mchId ?? state.keys.mchId,
      out_trade_no: changes.outTradeNo ?? outTradeNo,
      transaction_id: changes.transactionId ?? refund.transactionId,
      out_refund_no: refund.outRefundNo,
      refund_id: changes.refundId ?? refund.refundId,
      refund_status: refund.status,
      ...(succeededAt && { success_time: chinaTime(succeededAt) }),
      user_received_account: '支付用户零钱',
      amount: {
        total: changes.totalFen ?? refund.totalFen,
        refund: changes.amountFen ?? refund.amountFen,
        payer_total: refund.totalFen,
        payer_refund: refund.amountFen,
        ...(changes.currency && { currency: changes.currency }),
      },
    }),
  })
}

function seal(state: PlatformState, changes: NotificationChanges, content: Content): Notification {
  const { apiV3Key = state.keys.apiV3Key, associatedData = content.originalType } = changes
  const resource = sealResource(changes.plaintext ?? content.plaintext, { apiV3Key, associatedData })
  const id = changes.id ?? idFor(state, content.subject)
  const text = JSON.stringify({
    id,
    create_time: chinaTime(state.now()),
    resource_type: 'encrypt-resource',
    event_type: changes.eventType ?? content.eventType,
    summary: content.summary,
    resource: {
      original_type: content.originalType,
      ...resource,
      ...(changes.algorithm && { algorithm: changes.algorithm }),
    },
  })
  const body = Buffer.from(text, 'utf8')
  const key = keyForNotification(state)
  const headers = signatureHeaders({
    body,
    key: changes.wrongKey ? forgedKey(state, key) : key,
    now: state.now(),
    faults: changes,
  })
  const sent = changes.corruptByte ? oneBitOff(text) : text
  const { url, outTradeNo } = content
  return {
    url,
    notificationId: id,
    outTradeNo,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: sent,
  }
}

function idFor(state: PlatformState, subject: string): string {
  const known = state.notificationIds.get(subject)
  if (known) return known
  const id = `${randomText(4)}-${randomText(2)}-5${randomText(2).slice(1)}-8${randomText(2).slice(1)}-${randomText(6)}`
  state.notificationIds.set(subject, id)
  state.store.save({ kind: 'notification', key: subject, value: id })
  return id
}

/** Changes the lowest bit of the third character from the end, which stays JSON: only the signature can tell. */
export function oneBitOff(text: string): string {
  const at = Math.max(text.indexOf('"summary"') + 12, 0)
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1)
}
