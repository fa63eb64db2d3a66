import { type RefundRedirect, RefundStatus } from '@meridian/contracts'
import {
  column,
  execute,
  nullable,
  oneOf,
  Prisma,
  part,
  type RowOf,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import type { AbnormalRefund } from '@meridian/payments'
import { type Actor, appendAuditPart } from '../audit/write-audit.ts'
import { isFailedCall, platformFailure } from '../orders/obtain-prepay.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'
import { askRefund, configured } from './ask-refund.ts'
import { settleRefund } from './settle-refund.ts'
import { trackRefund } from './track-refund.ts'

export type RefundAction = Actor & { outRefundNo: string }

const refundState = { status: oneOf(RefundStatus.options), platformRefundId: nullable(column.text) }
type RefundState = RowOf<typeof refundState>

/** The entry is written down before the platform is asked, whatever it then says. */
async function auditAction(
  { database: { pool } }: Services,
  { outRefundNo, operatorId, from }: RefundAction,
  { action, after }: { action: string; after?: Prisma.InputJsonObject },
): Promise<RefundState> {
  const entry = { operatorId, action, subject: { type: 'refund', id: outRefundNo }, ...(after && { after }) }
  const refund = Prisma.sql`
    SELECT status, platform_refund_id AS "platformRefundId" FROM refunds WHERE out_refund_no = ${outRefundNo}`
  const audit = statement({
    name: 'audit-refund-act',
    parts: [part('refund', [], refund), appendAuditPart(rowsOf('refund'), entry, from)],
    select: reading(['refund'], Prisma.sql`SELECT * FROM refund`),
    rows: refundState,
  })
  const [standing] = await execute(pool, audit)
  if (!standing) throw new DomainError('not_found')
  return standing
}

/** @throws DomainError payment_platform_error, payment_platform_timeout where the platform fails */
export async function orFailure<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    if (!isFailedCall(error)) throw error
    throw new DomainError(platformFailure(error), { cause: error })
  }
}

/**
 * An operator wants to know now: what is on its way is asked about, what was never accepted is submitted again under
 * its number, and what the platform calls abnormal is asked about once more.
 * @throws DomainError not_found, changed_meanwhile when there is nothing on its way, payment_platform_error,
 *   payment_platform_timeout
 */
export async function retryRefund(services: Services, act: RefundAction): Promise<void> {
  const { outRefundNo, operatorId, from } = act
  const { status } = await auditAction(services, act, { action: 'refund.retry' })
  if (status === 'approved' || status === 'processing')
    return orFailure(trackRefund(services, { outRefundNo, attempt: 0 }))
  if (status !== 'abnormal') throw new DomainError('changed_meanwhile')
  const { answer, mchId } = await orFailure(askRefund(services, outRefundNo))
  if (answer.state !== 'known') return
  const { requestId } = from
  const arrival = { channel: 'admin_sync', requestId, operatorId, mchId } as const
  await settleRefund(services.database.pool, answer.refund, arrival)
}

/**
 * Sends an abnormal refund elsewhere: to a card of the buyer, or back to the merchant's own account. The card's number
 * and name go to the platform, encrypted, and nowhere else.
 * @throws DomainError not_found, changed_meanwhile when it is not abnormal, payment_platform_error,
 *   payment_platform_timeout
 */
export async function redirectRefund(
  services: Services,
  act: RefundAction,
  redirect: RefundRedirect,
): Promise<void> {
  const payments = configured(services.payments)
  const { to, outRefundNo } = redirect
  const standing = await auditAction(services, act, { action: 'refund.redirect', after: { to } })
  const { status, platformRefundId: refundId } = standing
  if (status !== 'abnormal' || !refundId) throw new DomainError('changed_meanwhile')
  const abnormal: AbnormalRefund =
    redirect.to === 'merchant_bank_card'
      ? { refundId, outRefundNo, to: redirect.to }
      : { ...redirect, refundId, outRefundNo }
  const { refund } = await orFailure(payments.applyAbnormalRefund(abnormal))
  const { requestId } = act.from
  const arrival = {
    channel: 'console',
    requestId,
    operatorId: act.operatorId,
    mchId: payments.mchId,
  } as const
  await settleRefund(services.database.pool, refund, arrival)
}
