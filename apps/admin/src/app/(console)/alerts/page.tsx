import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { createLoader, type SearchParams } from 'nuqs/server'
import { FirstReads } from '../../../api-client/first-reads.tsx'
import { AlertsView } from '../../../features/alerts/alerts-view.tsx'
import {
  alertQueryOf,
  deskViewParsers,
  parkedQueryOf,
  showsOrders,
} from '../../../features/alerts/desk-params.ts'

const loadParams = createLoader(deskViewParsers)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('alerts')
  return { title: t('title') }
}

export default async function AlertsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadParams(searchParams)
  return (
    <FirstReads
      of={({ trpc, fetch }) => [
        showsOrders(params)
          ? fetch(trpc.alert.parked.queryOptions(parkedQueryOf(params)))
          : fetch(trpc.alert.list.queryOptions(alertQueryOf(params))),
      ]}
    >
      <AlertsView />
    </FirstReads>
  )
}
