import { type OrderDetail, refundableFenOf, refundStateOf } from '@meridian/contracts'
import type { Database, Pool, Prisma } from '@meridian/db'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import { masked } from '../platform/log.ts'
import { type Around, readAround, requesterOf } from './read-around-orders.ts'

const grantView = {
  seq: true,
  kind: true,
  days: true,
  effectiveAt: true,
  expiresBefore: true,
  expiresAfter: true,
  createdAt: true,
} satisfies Prisma.GrantSelect

const detailView = {
  id: true,
  outTradeNo: true,
  status: true,
  channel: true,
  planCode: true,
  planName: true,
  amountFen: true,
  refundedFen: true,
  userId: true,
  transactionId: true,
  confirmedBy: true,
  late: true,
  parked: true,
  createdAt: true,
  paidAt: true,
  durationDays: true,
  features: true,
  currency: true,
  payerOpenid: true,
  appId: true,
  mchId: true,
  platformHost: true,
  virtualProductId: true,
  paidAttemptNo: true,
  attempts: {
    orderBy: { signedAt: 'asc' },
    select: {
      number: true,
      signedAt: true,
      state: true,
      wxOrderId: true,
      channelOrderId: true,
      byApple: true,
      deliveredAt: true,
      settlement: true,
      settledAt: true,
      feeFen: true,
    },
    take: 100,
  },
  prepayId: true,
  prepayExpiresAt: true,
  expiresAt: true,
  tradeType: true,
  bankType: true,
  closedAt: true,
  closeReason: true,
  payerDiffers: true,
  parkReason: true,
  events: { orderBy: { id: 'asc' } },
  refundReservedFen: true,
  refunds: {
    orderBy: { id: 'asc' },
    select: {
      outRefundNo: true,
      amountFen: true,
      status: true,
      failure: true,
      stoppedAt: true,
      secondPaymentId: true,
      createdAt: true,
      succeededAt: true,
      grants: { select: grantView },
    },
  },
  grants: { select: grantView },
} satisfies Prisma.OrderSelect

const Detail = z.record(z.string(), z.unknown()).catch({})

type StoredOrder = Prisma.OrderGetPayload<{ select: typeof detailView }>

/** By the order's own number, or by that of any of its payment attempts: the first attempt alone has the order's. */
async function orderOf(prisma: Database, number: string): Promise<StoredOrder | null> {
  const order = await prisma.order.findUnique({ where: { outTradeNo: number }, select: detailView })
  if (order) return order
  const attempt = await prisma.orderAttempt.findUnique({
    where: { number },
    select: { order: { select: detailView } },
  })
  return attempt?.order ?? null
}

/** What the console shows of an order, out of its own row and what is kept around it. */
function detailOf(order: StoredOrder, around: Around): OrderDetail {
  const { id: _id, events, payerOpenid, refundReservedFen, refunds, grants, ...facts } = order
  const emailOf = (operatorId: string | null) =>
    operatorId === null ? null : (around.emails.get(operatorId) ?? null)
  return {
    ...facts,
    payerOpenid: masked(payerOpenid),
    feeFen: around.feeOf(order),
    refunds: refunds.map(({ outRefundNo, amountFen, createdAt, succeededAt, ...standing }) => ({
      ...{ outRefundNo, amountFen, createdAt, succeededAt, status: standing.status },
      state: refundStateOf(standing),
      ofSecondPayment: standing.secondPaymentId !== null,
    })),
    grants: [...grants, ...refunds.flatMap((refund) => refund.grants)].toSorted((a, b) => a.seq - b.seq),
    refundableFen: refundableFenOf({ ...order, reservedFen: refundReservedFen }),
    acts: around.actsOf(order).map(({ id, operatorId, subjectType, subjectId, ...act }) => ({
      ...act,
      id: String(id),
      outRefundNo: subjectType === 'refund' ? subjectId : null,
      operatorEmail: emailOf(operatorId) ?? '',
    })),
    subscription: around.subscriptionOf(order),
    devices: around.devicesOf(order),
    notifications: around.notificationsOf(order),
    events: events.map((event) => ({
      id: String(event.id),
      at: event.at,
      kind: event.kind,
      fromStatus: event.fromStatus,
      toStatus: event.toStatus,
      channel: event.channel,
      requestId: event.requestId,
      operatorEmail: emailOf(event.operatorId),
      requesterEmail: emailOf(requesterOf(event)),
      detail: Detail.parse(event.detail),
    })),
  }
}

type Reads = { prisma: Database; pool: Pool }

/**
 * One order with everything that happened to it, for the console; identifiers masked. The number may be of one of its
 * payment attempts: the answer has the order's own.
 * @throws DomainError order_not_found
 */
export async function showOrder(reads: Reads, number: string): Promise<OrderDetail> {
  const order = await orderOf(reads.prisma, number)
  if (!order) throw new DomainError('order_not_found')
  return detailOf(order, await readAround(reads, [order]))
}

/** The same of several orders, by their own numbers and with no more statements than for one; what is not there is left out. */
export async function showOrders(reads: Reads, numbers: readonly string[]): Promise<OrderDetail[]> {
  const where = { outTradeNo: { in: [...numbers] } }
  const orders = await reads.prisma.order.findMany({ where, select: detailView })
  const around = await readAround(reads, orders)
  return orders.map((order) => detailOf(order, around))
}
