import { getTranslations } from 'next-intl/server'
import type { SearchParams } from 'nuqs/server'
import { addresses, parkedQueryOf, showsOrders } from '../../../../addresses.ts'
import { AlertDesk } from '../../../../features/alerts/alert-desk.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('alerts'))('title') })

export default async function AlertsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await addresses.alerts.load(searchParams)
  return (
    <ConsolePage
      nouns={['alerts', 'approvals', 'order', 'orders']}
      reads={({ trpc, fetch }) => [
        showsOrders(params)
          ? fetch(trpc.alert.parked.queryOptions(parkedQueryOf(params)))
          : fetch(trpc.alert.list.queryOptions(addresses.alerts.queryOf(params))),
      ]}
    >
      <AlertDesk />
    </ConsolePage>
  )
}
