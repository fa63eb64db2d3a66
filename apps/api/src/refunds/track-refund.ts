import { type Pool, Prisma, run } from '@meridian/db'
import { type ConfirmedRefund, type Payments, PaymentsError } from '@meridian/payments'
import { raisedAlert } from '../alerts/raise-alert.ts'
import { DomainError } from '../domain-error.ts'
import { enqueued } from '../jobs/enqueue-job.ts'
import type { Services } from '../services.ts'
import { trackKey } from './request-refund.ts'
import { settleRefund } from './settle-refund.ts'

type Tracked = {
  outRefundNo: string
  outTradeNo: string
  amountFen: number
  totalFen: number
  status: 'approved' | 'processing'
}

async function findTracked(pool: Pool, outRefundNo: string): Promise<Tracked | null> {
  const rows = await run<Tracked>(
    pool,
    'find-tracked-refund',
    Prisma.sql`
      SELECT r.out_refund_no AS "outRefundNo", o.out_trade_no AS "outTradeNo", r.amount_fen AS "amountFen",
        o.amount_fen AS "totalFen", r.status
      FROM refunds r JOIN orders o ON o.id = r.order_id
      WHERE r.out_refund_no = ${outRefundNo} AND r.status IN ('approved', 'processing') AND NOT o.parked`,
  )
  return rows[0] ?? null
}

/** Asks first where the platform may know it already; submits, always under the same number, what it does not know. */
async function askOrSubmit(payments: Payments, refund: Tracked): Promise<ConfirmedRefund> {
  const asked = refund.status === 'processing' ? await payments.queryRefund(refund.outRefundNo) : null
  if (asked?.state === 'known') return asked.refund
  const { outRefundNo, outTradeNo, amountFen, totalFen } = refund
  return (await payments.requestRefund({ outRefundNo, outTradeNo, amountFen, totalFen })).refund
}

const minutesUntilNext = (attempt: number) => (attempt < 5 ? 1 : Math.min(60, 2 ** (attempt - 4)))

function enqueueNext(pool: Pool, outRefundNo: string, attempt: number) {
  const payload = Prisma.sql`json_build_object('outRefundNo', out_refund_no, 'attempt', ${attempt + 1}::int)`
  const runAt = Prisma.sql`business_now() + ${minutesUntilNext(attempt)} * interval '1 minute'`
  return run(
    pool,
    'track-refund-again',
    Prisma.sql`
      SELECT ${enqueued('track_refund', payload, { runAt, key: trackKey })} FROM refunds
      WHERE out_refund_no = ${outRefundNo} AND status IN ('approved', 'processing')`,
  )
}

/** A refusal is kept with the refund and shown; the refund stays approved and is tried again under the same number. */
async function noteRefusal(
  pool: Pool,
  { outRefundNo, outTradeNo }: Tracked,
  error: PaymentsError,
): Promise<void> {
  const failure = error.code ?? error.reason
  await run(
    pool,
    'note-refund-refusal',
    Prisma.sql`
      WITH alert AS (${raisedAlert('refund_stuck', outRefundNo, { order: outTradeNo, failure })})
      UPDATE refunds SET failure = ${failure} WHERE out_refund_no = ${outRefundNo}`,
  )
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
  try {
    const refund = await askOrSubmit(payments, tracked)
    await settleRefund(pool, refund, { channel: 'job', requestId: null, mchId: payments.mchId })
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.advice === 'retry' || error.advice === 'ask_again')
      throw error
    await noteRefusal(pool, tracked, error)
  }
  await enqueueNext(pool, job.outRefundNo, job.attempt)
}
