import type { NotificationOutcome } from '@meridian/contracts'
import type { PoolClient } from '@meridian/db'
import { recordNotification, type VerifiedDelivery } from '../notifications/record-notification.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { type RefundVerdict, receiveRefund } from '../refunds/settle-refund.ts'
import type { Services } from '../services.ts'
import { applyPayment } from './apply-payment.ts'
import { recordUnknownPush } from './record-unknown-push.ts'
import { withoutErasedPayer } from './without-erased-payer.ts'

/** By whom a verified notification comes: the platform itself, or an operator who replays it. */
export type NotificationOrigin = {
  confirmedBy: 'notification' | 'replay'
  requestId: string
  operatorId?: string
  /** Whom the money is paid to: the merchant, in virtual payment the offer. */
  mchId: string
  /** The configured environment of virtual payment. */
  env?: 0 | 1 | undefined
}

/** How the inbox keeps what became of a refund; one that we did not ask for is recorded and done. */
const refundOutcomes = {
  applied: 'applied',
  unchanged: 'already_paid',
  unknown_refund: 'ignored',
  mismatch: 'mismatch',
  contradicted: 'mismatch',
  overdrawn: 'mismatch',
  order_unknown: 'order_unknown',
} as const satisfies Record<RefundVerdict, NotificationOutcome>

/** What a verified notification does, inside a transaction under way: the same for a delivery and for a replay. */
export async function processNotification(
  client: PoolClient,
  delivery: VerifiedDelivery,
  by: NotificationOrigin,
): Promise<NotificationOutcome> {
  const { notification } = delivery
  if (notification.kind === 'payment') return applyPayment(client, notification.payment, { ...by, delivery })
  if (notification.kind !== 'refund') {
    await recordNotification(client, delivery, { outcome: 'ignored' })
    return 'ignored'
  }
  const { refund } = notification
  const {
    verdict,
    differs,
    outTradeNo = refund.outTradeNo,
  } = await receiveRefund(client, refund, { ...by, channel: by.confirmedBy })
  if (verdict === 'order_unknown' && outTradeNo !== null)
    return recordUnknownPush(client, delivery, outTradeNo)
  const outcome = refundOutcomes[verdict]
  const detail = {
    ...(differs && { fields: Object.keys(differs), differs }),
    ...((verdict === 'contradicted' || verdict === 'overdrawn') && { verdict }),
  }
  const kept = await withoutErasedPayer(client, delivery, outTradeNo)
  await recordNotification(client, kept, { outcome, outTradeNo, detail })
  return outcome
}

/** One delivery of the platform. A payment is committed with those that arrive beside it. */
export const receiveNotification = (
  { database: { pool }, paymentGroups }: Pick<Services, 'database' | 'paymentGroups'>,
  delivery: VerifiedDelivery,
  by: NotificationOrigin,
): Promise<NotificationOutcome> =>
  delivery.notification.kind === 'payment'
    ? paymentGroups.apply(pool, delivery.notification.payment, { ...by, delivery })
    : inTransaction(pool, (client) => processNotification(client, delivery, by))
