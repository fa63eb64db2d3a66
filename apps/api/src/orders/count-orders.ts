import { OrderTab, type OrderTabCounts, type OrderTabFilter, orderTabFilter } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { countTabs } from '../platform/paging/count-tabs.ts'
import { orderConditionsSql } from './list-orders.ts'

const { sql } = Prisma

/** How many orders stand behind each tab of the list. */
export const countOrders = (pool: Pool, filter: OrderTabFilter): Promise<OrderTabCounts> =>
  countTabs(
    pool,
    OrderTab.options,
    (tab) =>
      sql`orders WHERE ${orderConditionsSql({ ...filter, ...orderTabFilter(tab) })} ORDER BY created_at DESC, id DESC`,
  )
