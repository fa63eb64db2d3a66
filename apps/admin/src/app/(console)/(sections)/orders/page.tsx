import { addresses } from '../../../../addresses.ts'
import { OrderList } from '../../../../features/orders/order-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.orders, (t) => t('orders.title'), {
  nouns: [
    'alerts',
    'approvals',
    'inquiries',
    'notes',
    'order',
    'orders',
    'refunds',
    'related',
    'subscriptions',
    'tags',
  ],
  reads: ({ trpc, fetch }, { query }) => [
    fetch(trpc.order.list.queryOptions(query)),
    fetch(trpc.plan.list.queryOptions()),
    fetch(trpc.tag.choices.queryOptions()),
  ],
  View: OrderList,
})

export { generateMetadata, page as default }
