import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { createLoader, type SearchParams } from 'nuqs/server'
import { FirstReads } from '../../../api-client/first-reads.tsx'
import {
  dayListQueryOf,
  deskParsers,
  differenceListQueryOf,
} from '../../../features/reconciliation/reconciliation-params.ts'
import { ReconciliationView } from '../../../features/reconciliation/reconciliation-view.tsx'

const loadParams = createLoader(deskParsers)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('reconciliation')
  return { title: t('title') }
}

export default async function ReconciliationPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadParams(searchParams)
  return (
    <FirstReads
      of={({ trpc, fetch }) => [
        params.view === 'days'
          ? fetch(trpc.reconciliation.days.queryOptions(dayListQueryOf(params)))
          : fetch(trpc.reconciliation.differences.queryOptions(differenceListQueryOf(params))),
      ]}
    >
      <ReconciliationView />
    </FirstReads>
  )
}
