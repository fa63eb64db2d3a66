import { addresses } from '../../../../addresses.ts'
import { ReportList } from '../../../../features/reports/report-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.reports, (t) => t('reports.title'), {
  nouns: ['reports'],
  reads: ({ trpc, fetch }, { query }) => [fetch(trpc.report.list.queryOptions(query))],
  View: ReportList,
})

export { generateMetadata, page as default }
