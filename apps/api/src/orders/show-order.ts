import { type OrderDetail, refundableFenOf, refundStateOf } from '@meridian/contracts'
import { column, type Database, execute, nullable, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import { masked } from '../platform/log.ts'
import { remainingDaysSql } from '../platform/time/business-time.ts'

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

/** Who asked for what another person then did. */
const requestersOf = ({ detail }: { detail: unknown }): string[] => {
  const { data } = z.object({ requested_by: z.uuid() }).safeParse(detail)
  return data ? [data.requested_by] : []
}

const Detail = z.record(z.string(), z.unknown()).catch({})

async function subscriptionOf(pool: Pool, userId: string): Promise<OrderDetail['subscription']> {
  const [row] = await execute(
    pool,
    query(
      'find-subscription-state',
      Prisma.sql`
      SELECT ${remainingDaysSql(Prisma.sql`expires_at`)} AS "remainingDays", expires_at AS "expiresAt"
      FROM subscriptions WHERE user_id = ${userId}::uuid`,
      { remainingDays: column.number, expiresAt: nullable(column.instant) },
    ),
  )
  const days = row?.remainingDays ?? 0
  return { isActive: days >= 1, remainingDays: days, expiresAt: row?.expiresAt ?? null }
}

async function emailsOf(database: Database, operatorIds: string[]): Promise<Map<string, string>> {
  if (operatorIds.length === 0) return new Map()
  const operators = await database.operator.findMany({
    where: { id: { in: operatorIds } },
    select: { id: true, email: true },
  })
  return new Map(operators.map(({ id, email }) => [id, email]))
}

type Refunded = { outTradeNo: string; refunds: { outRefundNo: string }[] }

/** What operators did with an order and its refunds: the newest hundred entries of the audit log. */
const actsOf = (database: Database, { outTradeNo, refunds }: Refunded) =>
  database.auditEntry.findMany({
    where: {
      OR: [
        { subjectType: 'order', subjectId: outTradeNo },
        { subjectType: 'refund', subjectId: { in: refunds.map(({ outRefundNo }) => outRefundNo) } },
      ],
    },
    orderBy: { id: 'desc' },
    select: {
      id: true,
      at: true,
      action: true,
      subjectType: true,
      subjectId: true,
      operatorId: true,
      requestId: true,
    },
    take: 100,
  })

const devicesOf = (database: Database, userId: string): Promise<OrderDetail['devices']> =>
  database.binding.findMany({
    where: { userId, unboundAt: null },
    orderBy: { boundAt: 'desc' },
    select: { serialNumber: true, boundAt: true },
  })

/** By the order's own number, or by that of any of its payment attempts: the first attempt alone has the order's. */
async function orderOf(prisma: Database, number: string) {
  const order = await prisma.order.findUnique({ where: { outTradeNo: number }, select: detailView })
  if (order) return order
  const attempt = await prisma.orderAttempt.findUnique({
    where: { number },
    select: { order: { select: detailView } },
  })
  return attempt?.order ?? null
}

/**
 * One order with everything that happened to it, for the console; identifiers masked. The number may be of one of its
 * payment attempts: the answer has the order's own.
 * @throws DomainError order_not_found
 */
export async function showOrder(
  { prisma, pool }: { prisma: Database; pool: Pool },
  number: string,
): Promise<OrderDetail> {
  const order = await orderOf(prisma, number)
  if (!order) throw new DomainError('order_not_found')
  const { id: _id, events, payerOpenid, refundReservedFen, refunds, grants, ...facts } = order
  const acts = await actsOf(prisma, order)
  const operatorIds = [...events, ...acts].flatMap(({ operatorId }) => (operatorId ? [operatorId] : []))
  const requesterIds = events.flatMap(requestersOf)
  const [subscription, devices, notifications, emails] = await Promise.all([
    subscriptionOf(pool, order.userId),
    devicesOf(prisma, order.userId),
    prisma.notification.findMany({
      where: { outTradeNo: order.outTradeNo },
      orderBy: { firstAt: 'asc' },
      select: { id: true, eventType: true, outcome: true, deliveries: true, firstAt: true, lastAt: true },
      take: 100,
    }),
    emailsOf(prisma, [...operatorIds, ...requesterIds]),
  ])
  return {
    ...facts,
    payerOpenid: masked(payerOpenid),
    refunds: refunds.map(({ outRefundNo, amountFen, createdAt, succeededAt, ...standing }) => ({
      ...{ outRefundNo, amountFen, createdAt, succeededAt, status: standing.status },
      state: refundStateOf(standing),
      ofSecondPayment: standing.secondPaymentId !== null,
    })),
    grants: [...grants, ...refunds.flatMap((refund) => refund.grants)].toSorted((a, b) => a.seq - b.seq),
    refundableFen: refundableFenOf({ ...order, reservedFen: refundReservedFen }),
    acts: acts.map(({ id, operatorId, subjectType, subjectId, ...act }) => ({
      ...act,
      id: String(id),
      outRefundNo: subjectType === 'refund' ? subjectId : null,
      operatorEmail: emails.get(operatorId) ?? '',
    })),
    subscription,
    devices,
    notifications,
    events: events.map((event) => ({
      id: String(event.id),
      at: event.at,
      kind: event.kind,
      fromStatus: event.fromStatus,
      toStatus: event.toStatus,
      channel: event.channel,
      requestId: event.requestId,
      operatorEmail: event.operatorId ? (emails.get(event.operatorId) ?? null) : null,
      requesterEmail: requestersOf(event).map((id) => emails.get(id) ?? null)[0] ?? null,
      detail: Detail.parse(event.detail),
    })),
  }
}
