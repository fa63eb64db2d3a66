import { getTranslations } from 'next-intl/server'
import type { SearchParams } from 'nuqs/server'
import { addresses } from '../../../../addresses.ts'
import { SubscriptionList } from '../../../../features/subscriptions/subscription-list.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('subscriptions'))('title') })

export default async function SubscriptionsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = addresses.subscriptions.queryOf(await addresses.subscriptions.load(searchParams))
  return (
    <ConsolePage
      nouns={['approvals', 'subscriptions']}
      reads={({ trpc, fetch }) => [
        fetch(trpc.subscription.list.queryOptions(query)),
        fetch(trpc.subscription.requests.queryOptions()),
      ]}
    >
      <SubscriptionList />
    </ConsolePage>
  )
}
