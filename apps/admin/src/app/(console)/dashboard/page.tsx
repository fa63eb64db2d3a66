import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { createLoader, type SearchParams } from 'nuqs/server'
import { FirstReads } from '../../../api-client/first-reads.tsx'
import {
  dashboardParsers,
  dashboardRangeOf,
  todayInBusiness,
} from '../../../features/dashboard/dashboard-params.ts'
import { DashboardView } from '../../../features/dashboard/dashboard-view.tsx'

const loadParams = createLoader(dashboardParsers)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('dashboard')
  return { title: t('title') }
}

export default async function DashboardPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const range = dashboardRangeOf(await loadParams(searchParams), todayInBusiness())
  return (
    <FirstReads of={({ trpc, fetch }) => [fetch(trpc.dashboard.revenue.queryOptions(range))]}>
      <DashboardView />
    </FirstReads>
  )
}
