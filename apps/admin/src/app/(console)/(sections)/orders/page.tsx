import { getTranslations } from 'next-intl/server'
import type { SearchParams } from 'nuqs/server'
import { addresses } from '../../../../addresses.ts'
import { OrderList } from '../../../../features/orders/order-list.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('orders'))('title') })

export default async function OrdersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = addresses.orders.queryOf(await addresses.orders.load(searchParams))
  return (
    <ConsolePage
      nouns={['order', 'orders']}
      reads={({ trpc, fetch }) => [
        fetch(trpc.order.list.queryOptions(query)),
        fetch(trpc.plan.list.queryOptions()),
      ]}
    >
      <OrderList />
    </ConsolePage>
  )
}
