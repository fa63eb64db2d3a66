import type { SheetError, SyncOutcome } from '@meridian/contracts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { getOrderStatus, getOwnOrder, type OrderView } from '../orders/read-orders.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'
import { noteSheetError } from './note-sheet-error.ts'
import { closeUnpaidOrder, settleOrder } from './settle-order.ts'

type OwnOrder = { userId: string; outTradeNo: string; requestId: string }

const isPaid = ({ status }: OrderView) => status === 'paid' || status === 'refunded'

/**
 * The phone says something happened: ask the platform, unless the order is paid already. What its sheet failed with is
 * kept first, whatever the platform says then.
 */
export async function syncOwnOrder(
  services: Services,
  { userId, outTradeNo, requestId }: OwnOrder,
  sheetError: SheetError | null = null,
): Promise<OrderView> {
  const { prisma, pool } = services.database
  const order = await getOwnOrder(prisma, { userId, outTradeNo })
  if (isPaid(order)) return order
  const { channel } = order
  if (sheetError) await noteSheetError(pool, { outTradeNo, requestId, ...sheetError })
  await settleOrder(services, { outTradeNo, channel, confirmedBy: 'sync', requestId })
  return getOwnOrder(prisma, { userId, outTradeNo })
}

/**
 * The user does not want it any more.
 * @throws DomainError order_already_paid when the platform says so
 */
export async function cancelOwnOrder(
  services: Services,
  { userId, outTradeNo, requestId }: OwnOrder,
): Promise<OrderView> {
  const { prisma } = services.database
  const order = await getOwnOrder(prisma, { userId, outTradeNo })
  if (order.status === 'closed') return order
  const { channel } = order
  const inquiry = { outTradeNo, channel, confirmedBy: 'sync', requestId } as const
  if (!isPaid(order)) await closeUnpaidOrder(services, { ...inquiry, reason: 'cancelled' })
  const settled = await getOwnOrder(prisma, { userId, outTradeNo })
  if (isPaid(settled)) throw new DomainError('order_already_paid', { outTradeNo })
  return settled
}

type OperatorAction = Actor & { outTradeNo: string }

async function auditAction(
  { services, action }: { services: Services; action: string },
  act: OperatorAction,
) {
  const { prisma } = services.database
  const { outTradeNo, operatorId, from } = act
  const { channel, ...before } = await getOrderStatus(prisma, outTradeNo)
  await writeAudit(prisma, { operatorId, action, subject: { type: 'order', id: outTradeNo }, before }, from)
  const { status } = before
  const { requestId } = from
  const inquiry = { outTradeNo, channel, confirmedBy: 'admin_sync', requestId, operatorId } as const
  return { status, inquiry }
}

/** An operator asks the platform about an order; the act is audited whatever the platform says. */
export async function syncForOperator(services: Services, act: OperatorAction): Promise<SyncOutcome> {
  const { status, inquiry } = await auditAction({ services, action: 'order.sync' }, act)
  if (status === 'paid' || status === 'refunded') return 'already_paid'
  return settleOrder(services, inquiry)
}

/** An operator closes an unpaid order: asked first, closed on the platform, then here. Audited like a sync. */
export async function closeForOperator(services: Services, act: OperatorAction): Promise<SyncOutcome> {
  const { status, inquiry } = await auditAction({ services, action: 'order.close' }, act)
  if (status === 'paid' || status === 'refunded') return 'already_paid'
  if (status === 'closed') return 'closed'
  return closeUnpaidOrder(services, { ...inquiry, reason: 'operator' })
}
