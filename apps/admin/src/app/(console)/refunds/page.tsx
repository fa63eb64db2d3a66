import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { createLoader, type SearchParams } from 'nuqs/server'
import { FirstReads } from '../../../api-client/first-reads.tsx'
import { refundFilterOf, refundListQueryOf, refundParsers } from '../../../features/refunds/refund-params.ts'
import { RefundsView } from '../../../features/refunds/refunds-view.tsx'

const loadParams = createLoader(refundParsers)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('refunds')
  return { title: t('title') }
}

export default async function RefundsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadParams(searchParams)
  return (
    <FirstReads
      of={({ trpc, fetch }) => [
        fetch(trpc.refund.list.queryOptions(refundListQueryOf(params))),
        fetch(trpc.refund.totals.queryOptions(refundFilterOf(params))),
      ]}
    >
      <RefundsView />
    </FirstReads>
  )
}
