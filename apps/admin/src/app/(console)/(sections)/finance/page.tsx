import { createLoader, type SearchParams } from 'nuqs/server'
import { consoleContext } from '../../../../api-client/first-read.ts'
import { financeParsers, monthOf } from '../../../../features/finance/finance-params.ts'
import { FinanceView } from '../../../../features/finance/finance-view.tsx'
import { dayOf } from '../../../../format.ts'
import { ConsolePage, titled } from '../../../../kit/page/console-page.tsx'

const loadParams = createLoader(financeParsers)

export const generateMetadata = titled((t) => t('finance.title'))

export default async function FinancePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [params, context] = await Promise.all([loadParams(searchParams), consoleContext()])
  const month = params.month ?? monthOf(dayOf(new Date(Date.now() + (context?.clockAheadMs ?? 0))))
  return (
    <ConsolePage
      nouns={['dashboard', 'finance', 'orders']}
      reads={({ trpc, fetch }) => [fetch(trpc.finance.month.queryOptions({ month }))]}
    >
      <FinanceView />
    </ConsolePage>
  )
}
