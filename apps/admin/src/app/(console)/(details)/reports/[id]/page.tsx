import { ReportReference } from '@meridian/contracts'
import { apiForThisOperator } from '../../../../../api-client/api-calls.ts'
import { firstRead } from '../../../../../api-client/first-read.ts'
import { ReportView } from '../../../../../features/reports/report-view.tsx'
import { truncateMiddle } from '../../../../../format.ts'
import { detailPage } from '../../../../../kit/page/console-page.tsx'

/** Opened here, on the server, so that one look is one entry on record: a browser that reads again would make two. */
async function OpenedReport(reference: { id: string }) {
  const api = await apiForThisOperator()
  return <ReportView report={await firstRead(api.report.open.mutate(reference))} />
}

const { page, generateMetadata } = detailPage({
  reference: ReportReference,
  title: (t, { id }) => t('reports.detailTitle', { id: truncateMiddle(id) }),
  nouns: ['orders', 'related', 'reports'],
  View: OpenedReport,
})

export { generateMetadata, page as default }
