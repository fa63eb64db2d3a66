import { addresses } from '../../../../addresses.ts'
import { ReportList } from '../../../../features/reports/report-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage({
  title: (t) => t('reports.title'),
  address: addresses.reports,
  nouns: ['reports'],
  reads: ({ trpc, fetch }, params) => [
    fetch(trpc.report.list.queryOptions(addresses.reports.queryOf(params))),
  ],
  View: ReportList,
})

export { generateMetadata, page as default }
