import { execute, type Pool, Prisma, reading, statement } from '@meridian/db'
import { type ConfirmedRefund, type Payments, PaymentsError } from '@meridian/payments'
import { enqueueJobPart } from '../jobs/job-table.ts'
import { noteOrder } from '../platform/measures/order-measures.ts'
import type { Services } from '../services.ts'
import { configured } from './ask-refund.ts'
import { beginSending, noteKnown, noteRefusal } from './count-sendings.ts'
import { findTracked, type Tracked } from './find-tracked.ts'
import { trackJob, trackPayload } from './request-refund.ts'
import { settleRefund } from './settle-refund.ts'
import { trackVirtualRefund } from './track-virtual-refund.ts'

/** What the platform knows of a refund on its way; null where it knows none, or may never have got it. */
async function ask(payments: Payments, { outRefundNo, status }: Tracked): Promise<ConfirmedRefund | null> {
  const asked = status === 'processing' ? await payments.queryRefund(outRefundNo) : null
  return asked?.state === 'known' ? asked.refund : null
}

const isFinal = (error: unknown): error is PaymentsError =>
  error instanceof PaymentsError && error.advice !== 'retry' && error.advice !== 'ask_again'

/**
 * Submits the refund, always under the same number, of the very transaction that it returns: a number of an order may
 * stand for two. A refusal is kept with it, and it is tried again later; null then, and where it is not to be sent any more.
 */
async function submit(
  services: Services,
  payments: Payments,
  refund: Tracked,
): Promise<ConfirmedRefund | null> {
  const { pool } = services.database
  const { outRefundNo, outTradeNo, paymentNo: transactionId, amountFen, totalFen } = refund
  const sending = await beginSending(pool, outRefundNo)
  if (!sending) return null
  try {
    return (await payments.requestRefund({ outRefundNo, transactionId, amountFen, totalFen })).refund
  } catch (error) {
    if (!isFinal(error)) throw error
    const failure = error.code ?? error.reason
    // A page without a code is some machine's between us and the platform; what was refused here never left.
    const answered = error.code !== null || error.reason === 'invalid_request'
    await noteRefusal(pool, sending, { order: outTradeNo, failure, answered })
    return null
  }
}

async function trackJsapiRefund(services: Services, tracked: Tracked): Promise<void> {
  const { pool } = services.database
  const payments = configured(services.payments)
  const asked = await ask(payments, tracked)
  const refund = asked ?? (await submit(services, payments, tracked))
  if (!refund) return
  await noteKnown(pool, tracked.outRefundNo, { answered: asked === null })
  await settleRefund(pool, refund, { channel: 'job', requestId: null, mchId: payments.mchId })
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

const byChannel = { jsapi: trackJsapiRefund, virtual: trackVirtualRefund }

/**
 * Brings a refund onwards by the channel of its order: submits what is approved, asks about what is on its way, every
 * minute at first. Accepted is not succeeded.
 * @throws PaymentsError, MiniProgramError where only the outcome is unknown; the job comes again
 */
export async function trackRefund(
  services: Services,
  job: { outRefundNo: string; attempt: number },
): Promise<void> {
  const { pool } = services.database
  const tracked = await findTracked(pool, job.outRefundNo)
  if (!tracked) return
  noteOrder(tracked.outTradeNo)
  await byChannel[tracked.channel](services, tracked)
  await enqueueNext(pool, job.outRefundNo, job.attempt)
}
