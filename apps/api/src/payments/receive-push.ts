import type { AlertKind, NotificationOutcome } from '@meridian/contracts'
import { execute, query } from '@meridian/db'
import type { VerifiedPush } from '@meridian/payments'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { recordNotification, type VerifiedDelivery } from '../notifications/record-notification.ts'
import { findPayableOrder } from '../orders/move-order.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import type { Services } from '../services.ts'
import { withoutErasedPayer } from './without-erased-payer.ts'

const hourMs = 3_600_000
/** After a complaint: until when it must be answered, and until when it must be solved (complaints §3). */
const replyDueMs = 24 * hourMs
const solutionDueMs = 72 * hourMs

type Concern = { kind: AlertKind; subject: string; detail: object }

/** What somebody must look at, and what the alert says of it. */
function concernIn(push: VerifiedPush, outTradeNo: string | null): Concern | null {
  const notification = push.id
  if (push.kind === 'complaint') {
    const { attemptNo, complaintId, complainedAt } = push.complaint
    const since = (complainedAt ?? push.createdAt).getTime()
    const due = {
      reply_due: new Date(since + replyDueMs).toISOString(),
      solution_due: new Date(since + solutionDueMs).toISOString(),
    }
    const detail = { notification, complaint_id: complaintId, attempt_no: attemptNo, ...due }
    return { kind: 'complaint_received', subject: outTradeNo ?? complaintId ?? notification, detail }
  }
  if (push.kind === 'risk')
    return {
      kind: 'account_risk',
      subject: push.risk.type || 'account',
      detail: { notification, ...push.risk },
    }
  return push.kind === 'coins'
    ? { kind: 'coins_paid', subject: notification, detail: { notification } }
    : null
}

/** The order that a push is about, where we know it. */
async function orderIn({ database: { pool } }: Services, push: VerifiedPush): Promise<string | null> {
  if (push.kind !== 'complaint') return null
  const paid = { channel: 'virtual', outTradeNo: push.complaint.attemptNo } as const
  return (await findPayableOrder(pool, paid))?.outTradeNo ?? null
}

/**
 * A push that moves no order: probes, complaints, risk notices and coins are kept, the last three with an alert; what is
 * not about payments is only counted, since everything that the mini-program is told comes here (virtual payment §4.7).
 */
export async function receiveOtherPush(
  services: Services,
  push: VerifiedPush,
  delivery: VerifiedDelivery,
): Promise<NotificationOutcome> {
  if (push.kind === 'unknown') return 'ignored'
  const outTradeNo = await orderIn(services, push)
  const concern = concernIn(push, outTradeNo)
  await inTransaction(services.database.pool, async (client) => {
    const kept = await withoutErasedPayer(client, delivery, outTradeNo)
    await recordNotification(client, kept, { outcome: 'ignored', outTradeNo })
    if (!concern) return
    const { kind, subject, detail } = concern
    await execute(client, query('raise-alert', raiseAlertSql(kind, subject, detail)))
  })
  return 'ignored'
}
