import { OrderAnswer, PageQuery, SyncAnswer, SyncRequest } from '@meridian/contracts'
import { z } from 'zod'
import { getOwnOrder, listOwnOrders } from '../../orders/read-orders.ts'
import { cancelOwnOrder, syncOwnOrder } from '../../payments/sync-order.ts'
import { showSubscription } from '../../subscriptions/show-subscription.ts'
import { failures } from './failures.ts'
import { OrderList } from './lists.ts'
import { type RestApp, type RestServices, userOf } from './signed-in.ts'
import { toOrder } from './translate.ts'

const platformFailures = [
  'payment_platform_error',
  'payment_not_configured',
  'payment_platform_timeout',
] as const

/** Any text: an order that cannot exist is simply not found. */
const params = z.object({ out_trade_no: z.string() })

/** What a person reads of their own orders. */
function readingRoutes(app: RestApp, { phones }: RestServices): void {
  app.get(
    '/subscription/orders',
    {
      schema: {
        querystring: PageQuery,
        response: { 200: OrderList, ...failures('invalid_request') },
      },
    },
    async (request) => {
      const page = await listOwnOrders(phones.database.pool, { ...request.query, userId: userOf(request).id })
      return { items: page.items.map(toOrder), next_cursor: page.nextCursor }
    },
  )

  app.get(
    '/subscription/orders/:out_trade_no',
    {
      schema: {
        params,
        response: { 200: OrderAnswer, ...failures('order_not_found') },
      },
    },
    async (request) => {
      const owner = { userId: userOf(request).id, outTradeNo: request.params.out_trade_no }
      return { order: toOrder(await getOwnOrder(phones.database.prisma, owner)) }
    },
  )
}

/** What asks the platform: these take the connections that are kept for paying. */
function askingRoutes(app: RestApp, { paying }: RestServices): void {
  app.post(
    '/subscription/orders/:out_trade_no/sync',
    {
      config: { limit: 'sync', pays: true },
      schema: {
        params,
        body: SyncRequest.nullish(),
        response: { 200: SyncAnswer, ...failures('invalid_request', 'order_not_found', ...platformFailures) },
      },
    },
    async (request) => {
      const { id: userId } = userOf(request)
      const asked = { userId, outTradeNo: request.params.out_trade_no, requestId: request.id }
      const order = await syncOwnOrder(paying, asked, request.body?.sheet_error)
      return { order: toOrder(order), subscription: await showSubscription(paying.database.pool, userId) }
    },
  )

  app.post(
    '/subscription/orders/:out_trade_no/cancel',
    {
      config: { limit: 'sync', pays: true },
      schema: {
        params,
        response: {
          200: OrderAnswer,
          ...failures('order_not_found', 'order_already_paid', ...platformFailures),
        },
      },
    },
    async (request) => {
      const { id: userId } = userOf(request)
      const order = await cancelOwnOrder(paying, {
        userId,
        outTradeNo: request.params.out_trade_no,
        requestId: request.id,
      })
      return { order: toOrder(order) }
    },
  )
}

export function orderRoutes(app: RestApp, services: RestServices): void {
  readingRoutes(app, services)
  askingRoutes(app, services)
}
