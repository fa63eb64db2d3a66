import { getTranslations } from 'next-intl/server'
import type { SearchParams } from 'nuqs/server'
import { addresses } from '../../../../addresses.ts'
import { ReportList } from '../../../../features/reports/report-list.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('reports'))('title') })

export default async function ReportsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = addresses.reports.queryOf(await addresses.reports.load(searchParams))
  return (
    <ConsolePage
      nouns={['reports']}
      reads={({ trpc, fetch }) => [fetch(trpc.report.list.queryOptions(query))]}
    >
      <ReportList />
    </ConsolePage>
  )
}
