import type { SyncOutcome } from '@meridian/contracts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { getOrderStatus, getOwnOrder, type OrderView } from '../orders/read-orders.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'
import { closeUnpaidOrder, settleOrder } from './settle-order.ts'

type OwnOrder = { userId: string; outTradeNo: string; requestId: string }

const isPaid = ({ status }: OrderView) => status === 'paid' || status === 'refunded'

/** The phone says something happened: ask the platform, unless the order is paid already. */
export async function syncOwnOrder(
  services: Services,
  { userId, outTradeNo, requestId }: OwnOrder,
): Promise<OrderView> {
  const { prisma } = services.database
  const order = await getOwnOrder(prisma, { userId, outTradeNo })
  if (isPaid(order)) return order
  await settleOrder(services, { outTradeNo, confirmedBy: 'sync', requestId })
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
  if (!isPaid(order))
    await closeUnpaidOrder(services, { outTradeNo, confirmedBy: 'sync', requestId, reason: 'cancelled' })
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
  const before = await getOrderStatus(prisma, outTradeNo)
  await writeAudit(prisma, { operatorId, action, subject: { type: 'order', id: outTradeNo }, before }, from)
  const { status } = before
  const inquiry = { outTradeNo, confirmedBy: 'admin_sync', requestId: from.requestId, operatorId } as const
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
