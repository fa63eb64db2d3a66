import type { RefundReason } from '@meridian/contracts'
import {
  MiniProgramError,
  type MiniProgramReason,
  PaymentsError,
  type VirtualPayments,
  type VirtualRefundReason,
} from '@meridian/payments'
import { isAnonymised } from '../orders/anonymise-payer.ts'
import { noteApple } from '../orders/note-apple.ts'
import type { Services } from '../services.ts'
import { configured } from './ask-refund.ts'
import { beginSending, noteAnswer, noteKnown, noteRefusal } from './count-sendings.ts'
import type { Tracked } from './find-tracked.ts'
import { acceptRefund, settleRefund } from './settle-refund.ts'

/** The platform's words for our reasons; the same on every repeat, since a repeat is one of identical parameters. */
const reasons = {
  user_request: 'users_wish',
  defect: 'product',
  duplicate: 'other',
  late_payment: 'other',
  fraud: 'other',
  other: 'other',
  external: 'none',
} as const satisfies Record<RefundReason, VirtualRefundReason>

const requesterOf = ({ reason, isAsked }: Tracked) =>
  reason === 'user_request' ? 'user' : isAsked ? 'staff' : 'other'

/** The outcome is unknown, or there is none yet: the job comes again. */
const passing: ReadonlySet<MiniProgramReason> = new Set(['busy', 'unreachable', 'timeout'])

/** Why the platform will not do it as asked; null where the error says nothing about that. */
function refusalOf(error: unknown): string | null {
  // What does not fit the protocol is refused here, and never leaves.
  if (error instanceof PaymentsError) return error.reason
  if (!(error instanceof MiniProgramError) || passing.has(error.reason)) return null
  return error.errcode === null ? error.reason : String(error.errcode)
}

type Submission = { services: Services; virtual: VirtualPayments; refund: Tracked }

/** A refund that cannot be asked for: kept with it, and shown, like a refusal of the platform. */
async function refuse({ services, refund }: Submission, failure: string): Promise<void> {
  const { pool } = services.database
  const sending = await beginSending(pool, refund.outRefundNo)
  if (sending) await noteRefusal(pool, sending, { order: refund.outTradeNo, failure, answered: true })
}

/** What is left of the payment now, as a refund must name it (virtual payment §3.4); or why it cannot be made. */
async function askLeft({ services, virtual, refund }: Submission): Promise<number | string> {
  const { paymentNo, payerOpenid, amountFen } = refund
  const { byApple, leftFen } = await virtual.queryOrder(paymentNo, payerOpenid)
  if (byApple) {
    await noteApple(services.database.pool, paymentNo)
    return 'refund_by_apple'
  }
  if (leftFen === null) throw new MiniProgramError('unreachable')
  return amountFen > leftFen ? 'more_than_left' : leftFen
}

/** What became of a sending. `left_changed` (another sum is left) and `not_yet` (a refund runs already) began nothing. */
type Sent = 'ended' | 'left_changed' | 'not_yet'

/** One sending: accepted, refused and kept as that, or to be repeated. */
async function send({ services, virtual, refund }: Submission, leftFen: number): Promise<Sent> {
  const { pool } = services.database
  const { outRefundNo, outTradeNo, paymentNo: attemptNo, payerOpenid, amountFen } = refund
  const sending = await beginSending(pool, outRefundNo, leftFen)
  if (!sending) return 'ended'
  const asked = { outRefundNo, attemptNo, payerOpenid, amountFen, leftFen, reason: reasons[refund.reason] }
  try {
    const { platformRefundId: refundId } = await virtual.requestRefund({
      ...asked,
      requestedBy: requesterOf(refund),
    })
    await noteKnown(pool, outRefundNo, { answered: true })
    await acceptRefund(pool, { outRefundNo, refundId }, { channel: 'job', requestId: null })
    return 'ended'
  } catch (error) {
    const reason = error instanceof MiniProgramError ? error.reason : null
    const failure = refusalOf(error)
    if (failure === null) throw error
    if (reason === 'left_changed' || reason === 'not_yet') {
      await noteAnswer(pool, sending)
      return reason
    }
    await noteRefusal(pool, sending, { order: outTradeNo, failure, answered: true })
    return 'ended'
  }
}

/** Asks about the refund by its own number; where the platform has it, it stands here as it stands there. */
async function settleAsThere({ services, virtual, refund }: Submission): Promise<boolean> {
  const { pool } = services.database
  const { outRefundNo, payerOpenid } = refund
  const asked = await virtual.queryRefund(outRefundNo, payerOpenid)
  if (asked.state !== 'known') return false
  await noteKnown(pool, outRefundNo, { answered: false })
  await settleRefund(pool, asked.refund, { channel: 'job', requestId: null, mchId: null })
  return true
}

/**
 * Sends the refund with what is left of the payment. A repeat names the sum that was named before; only the platform's
 * word that it is another one makes us ask anew, and then once more (virtual payment §3.4). Where the sum has changed or a
 * refund runs already, that may be this very refund, sent by another process a moment ago: the platform is asked about its
 * number before it is sent again or refused.
 */
async function submit(submission: Submission): Promise<void> {
  const left = submission.refund.sentLeftFen ?? (await askLeft(submission))
  const sent = typeof left === 'number' ? await send(submission, left) : 'left_changed'
  if (sent === 'ended' || (await settleAsThere(submission)) || sent === 'not_yet') return
  const now = typeof left === 'number' ? await askLeft(submission) : left
  if (typeof now === 'string') return refuse(submission, now)
  await send(submission, now)
}

async function submitOrRefuse(submission: Submission): Promise<void> {
  const { byApple, payerOpenid } = submission.refund
  if (byApple) return refuse(submission, 'refund_by_apple')
  if (isAnonymised(payerOpenid)) return refuse(submission, 'payer_erased')
  try {
    await submit(submission)
  } catch (error) {
    const failure = refusalOf(error)
    if (failure === null) throw error
    await refuse(submission, failure)
  }
}

/**
 * Brings the refund of a virtual payment onwards. What was sent before is asked about by its own number first, and sent
 * again only while the platform never said that it has it: what was accepted is only waited for (virtual payment §3.4 and
 * V19; whether a number that is sent twice refunds once is an assumption of §9).
 * @throws DomainError payment_not_configured; MiniProgramError where only the outcome is unknown
 */
export async function trackVirtualRefund(services: Services, refund: Tracked): Promise<void> {
  const submission = { services, virtual: configured(services.virtual), refund }
  const mayBeThere = refund.sentLeftFen !== null && !isAnonymised(refund.payerOpenid)
  if (mayBeThere && (await settleAsThere(submission))) return
  if (refund.status === 'approved') await submitOrRefuse(submission)
}
