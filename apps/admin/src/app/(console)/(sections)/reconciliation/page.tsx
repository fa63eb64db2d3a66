import { getTranslations } from 'next-intl/server'
import type { SearchParams } from 'nuqs/server'
import { addresses } from '../../../../addresses.ts'
import { ReconciliationDesk } from '../../../../features/reconciliation/reconciliation-desk.tsx'
import { pageOf } from '../../../../kit/list/address.ts'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('reconciliation'))('title') })

export default async function ReconciliationPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await addresses.reconciliation.load(searchParams)
  return (
    <ConsolePage
      nouns={['orders', 'reconciliation', 'refunds']}
      reads={({ trpc, fetch }) => [
        params.view === 'days'
          ? fetch(trpc.reconciliation.days.queryOptions(pageOf(params)))
          : fetch(trpc.reconciliation.differences.queryOptions(addresses.reconciliation.queryOf(params))),
      ]}
    >
      <ReconciliationDesk />
    </ConsolePage>
  )
}
