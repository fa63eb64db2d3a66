import { execute, type PoolClient, Prisma, part, statement } from '@meridian/db'
import type { ConfirmedRefund } from '@meridian/payments'
import { raiseAlertPart } from '../alerts/raise-alert.ts'
import { appendEventsPart, type Trace } from '../orders/append-event.ts'
import type { LockedRefund } from './lock-refund.ts'
import { movedRefundOrder } from './request-refund.ts'

type Contradiction = { known: LockedRefund; said: ConfirmedRefund; trace: Trace }

/**
 * The platform says an end that is not ours. The refund keeps its own until somebody decides; its sum counts against
 * the order meanwhile, unless it was refunded again already: then the alert says so. A repeat is only counted.
 */
export async function recordContradiction(
  client: PoolClient,
  { known, said, trace }: Contradiction,
): Promise<void> {
  const { outRefundNo, outTradeNo, refundId, status, succeededAt } = said
  const alert = raiseAlertPart('refund_contradicted', outRefundNo, {
    order: outTradeNo,
    amount_fen: said.amountFen,
    ours: known.status,
    theirs: status,
    sum: known.isCovered ? 'held' : 'refunded_again',
  })
  const detail = Prisma.sql`jsonb_build_object('out_refund_no', out_refund_no, 'said', ${status}::text)`
  const refund = Prisma.sql`
    UPDATE refunds SET contradicted_by = ${status}::refund_status,
      contradicted_at = coalesce(${succeededAt}::timestamptz, business_now()),
      held = ${known.isCovered}::boolean, platform_refund_id = coalesce(platform_refund_id, ${refundId})
    WHERE out_refund_no = ${outRefundNo} AND contradicted_by IS NULL
    RETURNING id, out_refund_no, order_id, amount_fen`
  const parts = [
    alert,
    part('refund', [], refund),
    appendEventsPart(movedRefundOrder, { kind: 'refund_contradicted', trace, detail }),
  ] as const
  await execute(client, statement({ name: 'record-contradiction', parts }))
}
