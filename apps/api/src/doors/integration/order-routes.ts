import { IntegrationOrderAnswer, IntegrationOrderPage, IntegrationOrderQuery } from '@meridian/contracts'
import { z } from 'zod'
import { getAnyOrder, listAllOrders } from '../../orders/list-all-orders.ts'
import type { Services } from '../../services.ts'
import { failures } from '../rest/failures.ts'
import type { RestApp } from '../rest/signed-in.ts'
import { toAnyOrder, toInstant } from './translate.ts'

const tags = ['integration']
const config = { scope: 'orders:read' } as const

export function integrationOrderRoutes(app: RestApp, { database }: Services): void {
  app.get(
    '/integration/orders',
    {
      config,
      schema: {
        tags,
        querystring: IntegrationOrderQuery,
        response: { 200: IntegrationOrderPage, ...failures('invalid_request', 'range_too_wide') },
      },
    },
    async (request) => {
      const { from, to, ...asked } = request.query
      const page = await listAllOrders(database.pool, { ...asked, from: toInstant(from), to: toInstant(to) })
      return { items: page.items.map(toAnyOrder), next_cursor: page.nextCursor }
    },
  )

  app.get(
    '/integration/orders/:out_trade_no',
    {
      config,
      schema: {
        tags,
        params: z.object({ out_trade_no: z.string() }),
        response: { 200: IntegrationOrderAnswer, ...failures('order_not_found') },
      },
    },
    async (request) => ({ order: toAnyOrder(await getAnyOrder(database.pool, request.params.out_trade_no)) }),
  )
}
