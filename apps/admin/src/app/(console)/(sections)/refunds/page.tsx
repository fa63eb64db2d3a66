import { getTranslations } from 'next-intl/server'
import type { SearchParams } from 'nuqs/server'
import { addresses } from '../../../../addresses.ts'
import { RefundList } from '../../../../features/refunds/refund-list.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('refunds'))('title') })

export default async function RefundsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await addresses.refunds.load(searchParams)
  return (
    <ConsolePage
      nouns={['refunds']}
      reads={({ trpc, fetch }) => [
        fetch(trpc.refund.list.queryOptions(addresses.refunds.queryOf(params))),
        fetch(trpc.refund.totals.queryOptions(addresses.refunds.filterOf(params))),
      ]}
    >
      <RefundList />
    </ConsolePage>
  )
}
