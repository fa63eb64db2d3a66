import type { AlertKind, RefundMove } from '@meridian/contracts'
import {
  column,
  execute,
  type Pool,
  type PoolClient,
  Prisma,
  part,
  query,
  reading,
  statement,
} from '@meridian/db'
import type { ConfirmedRefund } from '@meridian/payments'
import { raiseAlertPart, raiseAlertSql } from '../alerts/write-alert.ts'
import { appendEventsPart, type Trace } from '../orders/append-event.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { recordContradiction } from './contradiction.ts'
import { type Differences, decideSettlement } from './decide-settlement.ts'
import { receiveToldRefund, type ToldVerdict } from './external-refunds.ts'
import { findOwnNumber, type LockedRefund, lockRefund, moveRefundPart } from './move-refund.ts'
import { movedRefundOrder } from './request-refund.ts'
import { succeedRefund } from './succeed-refund.ts'

export type RefundVerdict =
  | 'applied'
  | 'unchanged'
  | 'unknown_refund'
  | 'mismatch'
  | 'contradicted'
  | ToldVerdict
/** What became of the platform's word, of which order it was, and what differed where it did not fit. */
type RefundSettlement = { verdict: RefundVerdict; outTradeNo?: string; differs?: Differences }

type RefundArrival = Trace & {
  /** Which merchant of ours is meant where a message names none; null in virtual payment, which has none. */
  mchId: string | null
}

const otherMoves = {
  closed: 'close',
  abnormal: 'turnAbnormal',
  processing: 'process',
} as const satisfies Record<string, RefundMove>

/** What somebody must look at: the buyer has nothing back. */
const alertKinds = {
  closed: 'refund_closed',
  abnormal: 'refund_abnormal',
  processing: null,
} as const satisfies Record<string, AlertKind | null>

type Unsettled = {
  outRefundNo: string
  /** Null where the platform accepted it without a word about its own id. */
  refundId: string | null
  status: keyof typeof otherMoves
}

export function moveRefundStatement({ status, outRefundNo, refundId }: Unsettled, trace: Trace) {
  const changes = Prisma.sql`platform_refund_id = coalesce(${refundId}, platform_refund_id), submitted_at = coalesce(submitted_at, business_now()), failure = NULL`
  const detail = Prisma.sql`jsonb_build_object('out_refund_no', out_refund_no)`
  return statement({
    name: `move-refund-${status}`,
    parts: [
      moveRefundPart(outRefundNo, otherMoves[status], changes),
      appendEventsPart(movedRefundOrder, { kind: `refund_${status}`, trace, detail }),
    ],
    select: reading(['refund'], Prisma.sql`SELECT id FROM refund`),
    rows: { id: column.bigint },
  })
}

type Known = { known: LockedRefund; said: ConfirmedRefund; trace: RefundArrival }

/** The platform is still at it, gave up, or cannot reach the buyer's account. A repeat moves nothing and alarms nobody. */
async function moveOn(client: PoolClient, { known, said, trace }: Known): Promise<boolean> {
  const { status, refundId } = said
  const { outRefundNo, outTradeNo } = known
  if (status === 'succeeded') return false
  const rows = await execute(client, moveRefundStatement({ status, outRefundNo, refundId }, trace))
  const alert = alertKinds[status]
  if (rows.length === 1 && alert)
    await execute(client, query('raise-alert', raiseAlertSql(alert, outRefundNo, { order: outTradeNo })))
  return rows.length === 1
}

/** The platform has begun a refund that it was sent; whatever it said of its end meanwhile stays. */
export async function acceptRefund(
  pool: Pool,
  { outRefundNo, refundId }: Pick<Unsettled, 'outRefundNo' | 'refundId'>,
  trace: Trace,
): Promise<void> {
  await execute(pool, moveRefundStatement({ status: 'processing', outRefundNo, refundId }, trace))
}

const settleKnown = (client: PoolClient, { known, said, trace }: Known): Promise<boolean> => {
  const { refundId, succeededAt } = said
  if (said.status !== 'succeeded') return moveOn(client, { known, said, trace })
  const { outRefundNo, isSecond } = known
  return succeedRefund(client, { outRefundNo, refundId, succeededAt, move: 'succeed', trace, isSecond })
}

const raiseMismatch = (client: PoolClient, { outRefundNo }: LockedRefund, detail: object) =>
  execute(client, query('raise-refund-mismatch', raiseAlertSql('refund_mismatch', outRefundNo, detail)))

/**
 * The one road of everything the platform says about a refund, whoever brought it, inside a transaction under way.
 * Repeating it changes nothing further. Answers what became of it.
 */
export async function settleRefundIn(
  client: PoolClient,
  refund: ConfirmedRefund,
  arrival: RefundArrival,
): Promise<RefundSettlement> {
  const outRefundNo = await findOwnNumber(client, refund)
  const known = outRefundNo === null ? null : await lockRefund(client, outRefundNo)
  if (!known) return { verdict: 'unknown_refund' }
  const { outTradeNo } = known
  const decision = decideSettlement(known, refund, arrival.mchId)
  if (decision.verdict === 'mismatch') {
    const { fields, differs } = decision
    await raiseMismatch(client, known, { order: outTradeNo, fields, differs })
    return { verdict: 'mismatch', outTradeNo, differs }
  }
  if (decision.verdict === 'contradicted')
    await recordContradiction(client, { known, said: refund, trace: arrival })
  if (decision.verdict !== 'settle') return { verdict: decision.verdict, outTradeNo }
  const moved = await settleKnown(client, { known, said: refund, trace: arrival })
  return { verdict: moved ? 'applied' : 'unchanged', outTradeNo }
}

/** The same as a transaction of its own. */
export const settleRefund = (
  pool: Pool,
  refund: ConfirmedRefund,
  arrival: RefundArrival,
): Promise<RefundVerdict> =>
  inTransaction(pool, async (client) => (await settleRefundIn(client, refund, arrival)).verdict)

/** A refund of JSAPI that we did not ask for: kept, and somebody looks at it. */
async function recordExternalRefund(client: PoolClient, refund: ConfirmedRefund): Promise<void> {
  const { outRefundNo, transactionId, refundId, amountFen, status } = refund
  const outTradeNo = refund.outTradeNo ?? outRefundNo
  const kept = Prisma.sql`
      INSERT INTO external_refunds (out_refund_no, out_trade_no, transaction_id, refund_id, amount_fen, status)
      VALUES (${outRefundNo}, ${outTradeNo}, ${transactionId}, ${refundId}, ${amountFen}, ${status})
      ON CONFLICT (out_refund_no) DO UPDATE SET status = excluded.status, last_at = business_now()`
  const detail = { out_refund_no: outRefundNo, amount_fen: amountFen }
  const parts = [raiseAlertPart('external_refund', outTradeNo, detail), part('kept', [], kept)] as const
  await execute(client, statement({ name: 'record-external-refund', parts }))
}

/**
 * What the platform notified of a refund, inside a transaction: ours moves on, another's is recorded as external. In
 * virtual payment those take their days too, since Apple's refunds arrive by no other road (SPEC §15).
 */
export async function receiveRefund(
  client: PoolClient,
  refund: ConfirmedRefund,
  arrival: RefundArrival,
): Promise<RefundSettlement> {
  const settlement = await settleRefundIn(client, refund, arrival)
  if (settlement.verdict !== 'unknown_refund') return settlement
  if (refund.channel === 'virtual') return receiveToldRefund(client, refund, arrival)
  await recordExternalRefund(client, refund)
  return settlement
}
