import { createLoader, type SearchParams } from 'nuqs/server'
import { consoleContext } from '../../../../api-client/first-read.ts'
import { revenueParsers, revenueQueries } from '../../../../features/revenue/revenue-params.ts'
import { RevenueView } from '../../../../features/revenue/revenue-view.tsx'
import { dayOf } from '../../../../format.ts'
import { ConsolePage, titled } from '../../../../kit/page/console-page.tsx'

const loadParams = createLoader(revenueParsers)

export const generateMetadata = titled((t) => t('revenue.title'))

export default async function RevenuePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [params, context] = await Promise.all([loadParams(searchParams), consoleContext()])
  const today = dayOf(new Date(Date.now() + (context?.clockAheadMs ?? 0)))
  const { deferred, range } = revenueQueries(params, today)
  return (
    <ConsolePage
      nouns={['dashboard', 'finance', 'orders', 'revenue']}
      reads={({ trpc, fetch }) => [
        fetch(trpc.revenue.deferred.queryOptions(deferred)),
        fetch(trpc.finance.planRevenue.queryOptions({ month: deferred.month })),
        fetch(trpc.revenue.churn.queryOptions(range)),
        fetch(trpc.revenue.cohorts.queryOptions(range)),
      ]}
    >
      <RevenueView />
    </ConsolePage>
  )
}
