import {
  column,
  execute,
  nullable,
  oneOf,
  type Pool,
  Prisma,
  query,
  type RowOf,
  reading,
  statement,
} from '@meridian/db'
import { type ConfirmedRefund, type Payments, PaymentsError } from '@meridian/payments'
import { enqueueJobPart } from '../jobs/job-table.ts'
import { returnedTotalSql, secondTransactionSql } from '../orders/second-payment.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'
import { beginSending, noteKnown, noteRefusal } from './count-sendings.ts'
import { trackJob, trackPayload } from './request-refund.ts'
import { settleRefund } from './settle-refund.ts'

const trackedColumns = {
  outRefundNo: column.text,
  outTradeNo: column.text,
  amountFen: column.integer,
  totalFen: column.integer,
  /** Of a payment beside the order's own. */
  secondTransactionId: nullable(column.text),
  status: oneOf(['approved', 'processing']),
}
type Tracked = RowOf<typeof trackedColumns>

async function findTracked(pool: Pool, outRefundNo: string): Promise<Tracked | null> {
  const rows = await execute(
    pool,
    query(
      'find-tracked-refund',
      Prisma.sql`
      SELECT r.out_refund_no AS "outRefundNo", o.out_trade_no AS "outTradeNo", r.amount_fen AS "amountFen",
        ${returnedTotalSql(Prisma.sql`r`)} AS "totalFen", r.status, ${secondTransactionSql(Prisma.sql`r`)} AS "secondTransactionId"
      FROM refunds r JOIN orders o ON o.id = r.order_id
      WHERE r.out_refund_no = ${outRefundNo} AND r.status IN ('approved', 'processing') 
        AND (NOT o.parked OR r.second_payment_id IS NOT NULL)`,
      trackedColumns,
    ),
  )
  return rows[0] ?? null
}

/** What the platform knows of a refund on its way; null where it knows none, or may never have got it. */
async function ask(payments: Payments, { outRefundNo, status }: Tracked): Promise<ConfirmedRefund | null> {
  const asked = status === 'processing' ? await payments.queryRefund(outRefundNo) : null
  return asked?.state === 'known' ? asked.refund : null
}

const isFinal = (error: unknown): error is PaymentsError =>
  error instanceof PaymentsError && error.advice !== 'retry' && error.advice !== 'ask_again'

/**
 * Submits the refund, always under the same number. A refusal is kept with it, and it is tried again later; null then,
 * and where it is not to be sent any more.
 */
async function submit(
  services: Services,
  payments: Payments,
  refund: Tracked,
): Promise<ConfirmedRefund | null> {
  const { pool } = services.database
  const { outRefundNo, outTradeNo, secondTransactionId: transactionId, amountFen, totalFen } = refund
  const payment = transactionId === null ? { outTradeNo } : { transactionId }
  const sending = await beginSending(pool, outRefundNo)
  if (!sending) return null
  try {
    return (await payments.requestRefund({ outRefundNo, ...payment, amountFen, totalFen })).refund
  } catch (error) {
    if (!isFinal(error)) throw error
    const failure = error.code ?? error.reason
    // A page without a code is some machine's between us and the platform; what was refused here never left.
    const answered = error.code !== null || error.reason === 'invalid_request'
    await noteRefusal(pool, sending, { order: outTradeNo, failure, answered })
    return null
  }
}

const minutesUntilNext = (attempt: number) => (attempt < 5 ? 1 : Math.min(60, 2 ** (attempt - 4)))

function enqueueNext(pool: Pool, outRefundNo: string, attempt: number) {
  const runAt = Prisma.sql`business_now() + ${minutesUntilNext(attempt)} * interval '1 minute'`
  const waiting = Prisma.sql`refunds WHERE out_refund_no = ${outRefundNo} AND status IN ('approved', 'processing')`
  const again = enqueueJobPart('tracking', reading([], waiting), {
    ...trackJob,
    payload: trackPayload(attempt + 1),
    runAt,
  })
  return execute(pool, statement({ name: 'track-refund-again', parts: [again] }))
}

/**
 * Brings a refund onwards: submits what is approved, asks about what is on its way, every minute at first. Accepted
 * is not succeeded.
 * @throws PaymentsError where only the outcome is unknown; the job comes again
 */
export async function trackRefund(
  services: Services,
  job: { outRefundNo: string; attempt: number },
): Promise<void> {
  const { payments, database } = services
  const { pool } = database
  if (!payments) throw new DomainError('payment_not_configured')
  const tracked = await findTracked(pool, job.outRefundNo)
  if (!tracked) return
  const asked = await ask(payments, tracked)
  const refund = asked ?? (await submit(services, payments, tracked))
  if (refund) {
    await noteKnown(pool, job.outRefundNo, { answered: asked === null })
    await settleRefund(pool, refund, { channel: 'job', requestId: null, mchId: payments.mchId })
  }
  await enqueueNext(pool, job.outRefundNo, job.attempt)
}
