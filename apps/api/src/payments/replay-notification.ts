import { OrderSnapshot, type ReplayEffect } from '@meridian/contracts'
import { execute, type PoolClient, Prisma, query } from '@meridian/db'
import { PaymentsError, PUSH_SERIAL } from '@meridian/payments'
import { type Actor, appendAuditSql } from '../audit/write-audit.ts'
import { findOlderKeys } from '../keys/platform-keys.ts'
import { getStoredNotification } from '../notifications/read-inbox.ts'
import type { VerifiedDelivery, VerifiedMessage } from '../notifications/record-notification.ts'
import { findPayableOrder } from '../orders/move-order.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { inTransaction, withRollback } from '../platform/sql/transaction.ts'
import { remainingDaysSql } from '../platform/time/business-time.ts'
import { findOwnNumber, lockRefund } from '../refunds/move-refund.ts'
import type { Services } from '../services.ts'
import { countPayment } from './apply-payment.ts'
import { processNotification } from './receive-notification.ts'

const orderSnapshotColumns = columnsOf(OrderSnapshot)

/**
 * Where an order and its buyer's days stand, with the order locked: what is read before a change and after it. The lock
 * lets others refer to the order, who hold the notification that this is about and write to the timeline.
 */
async function lockOrderSnapshot(client: PoolClient, outTradeNo: string): Promise<OrderSnapshot | null> {
  const [standing] = await execute(
    client,
    query(
      'lock-standing',
      Prisma.sql`
      SELECT o.out_trade_no AS "outTradeNo", o.status, o.amount_fen AS "amountFen", o.refunded_fen AS "refundedFen",
        o.late, o.parked, ${remainingDaysSql(Prisma.sql`s.expires_at`)} AS "remainingDays", s.expires_at AS "expiresAt"
      FROM orders o JOIN subscriptions s ON s.user_id = o.user_id WHERE o.out_trade_no = ${outTradeNo} FOR NO KEY UPDATE OF o`,
      orderSnapshotColumns,
    ),
  )
  return standing ?? null
}

export type ReplayRequest = Actor & { notificationId: string }

type Kept = { delivery: VerifiedDelivery; mchId: string; env?: 0 | 1 }

/**
 * Reads the kept bytes again, verified as on the day they came: nothing that the database says about them is believed.
 * @throws PaymentsError when they no longer verify; DomainError not_found
 */
async function reread(services: Services, notificationId: string): Promise<Kept> {
  const { payments, virtual, database } = services
  const { pool } = database
  const { serial, headers, body, receivedAt } = await getStoredNotification(pool, notificationId)
  if (serial === PUSH_SERIAL) {
    if (!virtual) throw new DomainError('payment_not_configured')
    const notification = virtual.readPush(headers, body)
    return {
      delivery: { notification, headers, body, replayed: true },
      mchId: virtual.offerId,
      env: virtual.env,
    }
  }
  if (!payments) throw new DomainError('payment_not_configured')
  const olderKeys = await findOlderKeys(pool, serial)
  const notification = payments.rereadNotification({ headers, body }, { receivedAt, olderKeys })
  return { delivery: { notification, headers, body, replayed: true }, mchId: payments.mchId }
}

/** The order that it is about, by its own number: a push tells the number of an attempt. */
const outTradeNoOf = async (client: PoolClient, notification: VerifiedMessage): Promise<string | null> => {
  const number = paidNumberOf(notification)
  if (number === null || notification.serial !== PUSH_SERIAL) return number
  return (await findPayableOrder(client, { channel: 'virtual', outTradeNo: number }))?.outTradeNo ?? null
}

const paidNumberOf = (notification: VerifiedMessage): string | null => {
  if (notification.kind === 'payment') return notification.payment.outTradeNo
  return notification.kind === 'refund' ? notification.refund.outTradeNo : null
}

/** A refund of ours is locked before its order, as by whoever else writes one: two orders of locks would wait for each other. */
async function lockRefundIn(client: PoolClient, { notification }: VerifiedDelivery): Promise<void> {
  const own = notification.kind === 'refund' ? await findOwnNumber(client, notification.refund) : null
  if (own !== null) await lockRefund(client, own)
}

async function replayIn(
  client: PoolClient,
  { delivery, mchId, env }: Kept,
  { operatorId, from }: ReplayRequest,
): Promise<ReplayEffect> {
  await lockRefundIn(client, delivery)
  const outTradeNo = await outTradeNoOf(client, delivery.notification)
  const before = outTradeNo ? await lockOrderSnapshot(client, outTradeNo) : null
  const by = { confirmedBy: 'replay', requestId: from.requestId, operatorId, mchId, env } as const
  const outcome = await processNotification(client, delivery, by)
  const after = outTradeNo ? await lockOrderSnapshot(client, outTradeNo) : null
  return { refusal: null, outcome, before, after }
}

const factsOf = (standing: OrderSnapshot | null) =>
  standing && {
    status: standing.status,
    refundedFen: standing.refundedFen,
    parked: standing.parked,
    remainingDays: standing.remainingDays,
  }

/**
 * What a replay would change: the replay itself, undone. Bytes that no longer verify are answered as a refusal.
 * @throws DomainError not_found, payment_not_configured
 */
export async function dryRunReplay(services: Services, act: ReplayRequest): Promise<ReplayEffect> {
  try {
    const kept = await reread(services, act.notificationId)
    return await withRollback(services.database.pool, (client) => replayIn(client, kept, act))
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    return { refusal: error.reason, outcome: null, before: null, after: null }
  }
}

/**
 * Processes a kept notification once more, by the road it would take if the platform delivered it now.
 * @throws DomainError not_found, notification_unreadable, payment_not_configured
 */
export async function replayNotification(services: Services, act: ReplayRequest): Promise<ReplayEffect> {
  const kept = await reread(services, act.notificationId).catch((error: unknown) => {
    if (!(error instanceof PaymentsError)) throw error
    throw new DomainError('notification_unreadable', { cause: error })
  })
  const effect = await inTransaction(services.database.pool, async (client) => {
    const effect = await replayIn(client, kept, act)
    const entry = {
      operatorId: act.operatorId,
      action: 'notification.replay',
      subject: { type: 'notification', id: act.notificationId },
      before: { order: factsOf(effect.before) },
      after: { order: factsOf(effect.after), outcome: effect.outcome },
    }
    await execute(client, query('audit-replay', appendAuditSql(Prisma.sql`(SELECT 1) done`, entry, act.from)))
    return effect
  })
  const { notification } = kept.delivery
  if (effect.outcome === 'applied' && notification.kind === 'payment')
    countPayment('replay', notification.payment, services.runtime.now())
  return effect
}
