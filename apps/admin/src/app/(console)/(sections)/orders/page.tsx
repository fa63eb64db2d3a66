import { addresses } from '../../../../addresses.ts'
import { OrderList } from '../../../../features/orders/order-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage({
  title: (t) => t('orders.title'),
  address: addresses.orders,
  nouns: ['order', 'orders'],
  reads: ({ trpc, fetch }, params) => [
    fetch(trpc.order.list.queryOptions(addresses.orders.queryOf(params))),
    fetch(trpc.plan.list.queryOptions()),
  ],
  View: OrderList,
})

export { generateMetadata, page as default }
