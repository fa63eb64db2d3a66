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
import { appendEventsPart, type Channel, type Trace } from '../orders/append-event.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { recordContradiction } from './contradiction.ts'
import { type Differences, decideSettlement } from './decide-settlement.ts'
import { lockRefund, moveRefundPart } from './move-refund.ts'
import { movedRefundOrder } from './request-refund.ts'
import { succeedRefund } from './succeed-refund.ts'

export type RefundVerdict = 'applied' | 'unchanged' | 'unknown_refund' | 'mismatch' | 'contradicted'
/** What became of the platform's word, and what differed where it did not fit. */
type RefundSettlement = { verdict: RefundVerdict; differs?: Differences }

type RefundArrival = {
  channel: Channel
  requestId: string | null
  operatorId?: string | null
  mchId: string
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

type Unsettled = Pick<ConfirmedRefund, 'outRefundNo' | 'refundId'> & { status: keyof typeof otherMoves }

export function moveRefundStatement({ status, outRefundNo, refundId }: Unsettled, trace: Trace) {
  const changes = Prisma.sql`platform_refund_id = ${refundId}, submitted_at = coalesce(submitted_at, business_now()), failure = NULL`
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

/** The platform is still at it, gave up, or cannot reach the buyer's account. A repeat moves nothing and alarms nobody. */
async function moveOn(client: PoolClient, refund: ConfirmedRefund, trace: RefundArrival) {
  const { status, outRefundNo, outTradeNo, refundId } = refund
  if (status === 'succeeded') return []
  const rows = await execute(client, moveRefundStatement({ status, outRefundNo, refundId }, trace))
  const alert = alertKinds[status]
  if (rows.length === 1 && alert)
    await execute(client, query('raise-alert', raiseAlertSql(alert, outRefundNo, { order: outTradeNo })))
  return rows
}

const factsOf = ({ outRefundNo, refundId, succeededAt }: ConfirmedRefund) => ({
  outRefundNo,
  refundId,
  succeededAt,
})

const raiseMismatch = (client: PoolClient, { outRefundNo }: ConfirmedRefund, detail: object) =>
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
  const known = await lockRefund(client, refund.outRefundNo)
  if (!known) return { verdict: 'unknown_refund' }
  const decision = decideSettlement(known, refund, arrival.mchId)
  if (decision.verdict === 'mismatch') {
    const { fields, differs } = decision
    await raiseMismatch(client, refund, { order: known.outTradeNo, fields, differs })
    return { verdict: 'mismatch', differs }
  }
  if (decision.verdict === 'contradicted')
    await recordContradiction(client, { known, said: refund, trace: arrival })
  if (decision.verdict !== 'settle') return { verdict: decision.verdict }
  const moved =
    refund.status === 'succeeded'
      ? await succeedRefund(client, {
          ...factsOf(refund),
          move: 'succeed',
          trace: arrival,
          isSecond: known.isSecond,
        })
      : (await moveOn(client, refund, arrival)).length === 1
  return { verdict: moved ? 'applied' : 'unchanged' }
}

/** The same as a transaction of its own. */
export const settleRefund = (
  pool: Pool,
  refund: ConfirmedRefund,
  arrival: RefundArrival,
): Promise<RefundVerdict> =>
  inTransaction(pool, async (client) => (await settleRefundIn(client, refund, arrival)).verdict)

/** A refund that we did not ask for: kept, and somebody looks at it. */
async function recordExternalRefund(client: PoolClient, refund: ConfirmedRefund): Promise<void> {
  const { outRefundNo, outTradeNo, transactionId, refundId, amountFen, status } = refund
  const kept = Prisma.sql`
      INSERT INTO external_refunds (out_refund_no, out_trade_no, transaction_id, refund_id, amount_fen, status)
      VALUES (${outRefundNo}, ${outTradeNo}, ${transactionId}, ${refundId}, ${amountFen}, ${status})
      ON CONFLICT (out_refund_no) DO UPDATE SET status = excluded.status, last_at = business_now()`
  const detail = { out_refund_no: outRefundNo, amount_fen: amountFen }
  const parts = [raiseAlertPart('external_refund', outTradeNo, detail), part('kept', [], kept)] as const
  await execute(client, statement({ name: 'record-external-refund', parts }))
}

/** What the platform notified of a refund, inside a transaction: ours moves on, another's is recorded as external. */
export async function receiveRefund(
  client: PoolClient,
  refund: ConfirmedRefund,
  arrival: RefundArrival,
): Promise<RefundSettlement> {
  const settlement = await settleRefundIn(client, refund, arrival)
  if (settlement.verdict === 'unknown_refund') await recordExternalRefund(client, refund)
  return settlement
}
