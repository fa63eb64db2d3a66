import type { OrderDetail } from '@meridian/contracts'
import { column, type Database, execute, nullable, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { remainingDaysSql } from '../platform/time/business-time.ts'
import { readFees } from './order-fee.ts'

/** An order as far as what is kept around it hangs on it. */
type Anchor = {
  outTradeNo: string
  userId: string
  refunds: readonly { outRefundNo: string }[]
  events: readonly { operatorId: string | null; detail: unknown }[]
}

/** How much of one kind the page of an order shows. */
const SHOWN = 100

const Requested = z.object({ requested_by: z.uuid() })

/** Who asked for what another person then did. */
export const requesterOf = ({ detail }: { detail: unknown }): string | null =>
  Requested.safeParse(detail).data?.requested_by ?? null

const readSubscriptions = (pool: Pool, userIds: readonly string[]) =>
  execute(
    pool,
    query(
      'find-subscription-states',
      Prisma.sql`
      SELECT user_id AS "userId", ${remainingDaysSql(Prisma.sql`expires_at`)} AS "remainingDays", expires_at AS "expiresAt"
      FROM subscriptions WHERE user_id = ANY(${[...userIds]}::uuid[])`,
      { userId: column.text, remainingDays: column.number, expiresAt: nullable(column.instant) },
    ),
  )

/** What operators did with orders and their refunds: the newest entries of the audit log. */
const readActs = (prisma: Database, orders: readonly Anchor[]) =>
  prisma.auditEntry.findMany({
    where: {
      OR: [
        { subjectType: 'order', subjectId: { in: orders.map(({ outTradeNo }) => outTradeNo) } },
        {
          subjectType: 'refund',
          subjectId: { in: orders.flatMap(({ refunds }) => refunds.map(({ outRefundNo }) => outRefundNo)) },
        },
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
    take: SHOWN * orders.length,
  })

const readDevices = (prisma: Database, userIds: string[]) =>
  prisma.binding.findMany({
    where: { userId: { in: userIds }, unboundAt: null },
    orderBy: { boundAt: 'desc' },
    select: { userId: true, serialNumber: true, boundAt: true },
  })

const readNotifications = (prisma: Database, orders: readonly Anchor[]) =>
  prisma.notification.findMany({
    where: { outTradeNo: { in: orders.map(({ outTradeNo }) => outTradeNo) } },
    orderBy: { firstAt: 'asc' },
    select: {
      outTradeNo: true,
      id: true,
      eventType: true,
      outcome: true,
      deliveries: true,
      firstAt: true,
      lastAt: true,
    },
    take: SHOWN * orders.length,
  })

async function readEmails(prisma: Database, operatorIds: readonly string[]): Promise<Map<string, string>> {
  if (operatorIds.length === 0) return new Map()
  const operators = await prisma.operator.findMany({
    where: { id: { in: [...new Set(operatorIds)] } },
    select: { id: true, email: true },
  })
  return new Map(operators.map(({ id, email }) => [id, email]))
}

/** Finds what belongs to a key, in the order in which it was read. */
function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): (key: string) => Item[] {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return (key) => groups.get(key) ?? []
}

type Act = Awaited<ReturnType<typeof readActs>>[number]

export type Around = {
  actsOf: (order: Anchor) => Act[]
  subscriptionOf: (order: Anchor) => OrderDetail['subscription']
  devicesOf: (order: Anchor) => OrderDetail['devices']
  notificationsOf: (order: Anchor) => OrderDetail['notifications']
  feeOf: (order: Anchor) => number | null
  /** Of the operators that any of it names, by their ids. */
  emails: ReadonlyMap<string, string>
}

/** Reads what is kept around orders, each kind by one statement however many they are. */
export async function readAround(
  { prisma, pool }: { prisma: Database; pool: Pool },
  orders: readonly Anchor[],
): Promise<Around> {
  const userIds = [...new Set(orders.map(({ userId }) => userId))]
  const events = orders.flatMap((order) => order.events)
  const readNamed = async () => {
    const acts = await readActs(prisma, orders)
    const named = [...acts, ...events].flatMap(({ operatorId }) => operatorId ?? [])
    const requesters = events.flatMap((event) => requesterOf(event) ?? [])
    return { acts, emails: await readEmails(prisma, [...named, ...requesters]) }
  }
  const [{ acts, emails }, subscriptions, devices, notifications, fees] = await Promise.all([
    readNamed(),
    readSubscriptions(pool, userIds),
    readDevices(prisma, userIds),
    readNotifications(prisma, orders),
    readFees(
      pool,
      orders.map(({ outTradeNo }) => outTradeNo),
    ),
  ])
  const actsOn = grouped(acts, ({ subjectType, subjectId }) => `${subjectType} ${subjectId}`)
  const devicesOfUser = grouped(devices, ({ userId }) => userId)
  const notificationsAbout = grouped(notifications, ({ outTradeNo }) => outTradeNo ?? '')
  const subscriptionsOf = grouped(subscriptions, ({ userId }) => userId)
  return {
    emails,
    feeOf: ({ outTradeNo }) => fees.get(outTradeNo) ?? null,
    actsOf: ({ outTradeNo, refunds }) =>
      [
        ...actsOn(`order ${outTradeNo}`),
        ...refunds.flatMap(({ outRefundNo }) => actsOn(`refund ${outRefundNo}`)),
      ]
        .toSorted((one, other) => (one.id < other.id ? 1 : -1))
        .slice(0, SHOWN),
    subscriptionOf({ userId }) {
      const { remainingDays = 0, expiresAt = null } = subscriptionsOf(userId)[0] ?? {}
      return { isActive: remainingDays >= 1, remainingDays, expiresAt }
    },
    devicesOf: ({ userId }) => devicesOfUser(userId).map(({ userId: _user, ...device }) => device),
    notificationsOf: ({ outTradeNo }) =>
      notificationsAbout(outTradeNo)
        .slice(0, SHOWN)
        .map(({ outTradeNo: _order, ...notification }) => notification),
  }
}
