import { ReportReference } from '@meridian/contracts'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../../../api-client/api-calls.ts'
import { firstRead } from '../../../../../api-client/first-read.ts'
import { ReportView } from '../../../../../features/reports/report-view.tsx'
import { truncateMiddle } from '../../../../../format.ts'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'
import { referenceOf } from '../../../../../kit/page/reference-of.ts'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props) {
  const t = await getTranslations('reports')
  return { title: t('detailTitle', { id: truncateMiddle((await params).id) }) }
}

/** Opened here, on the server, so that one look is one entry on record: a browser that reads again would make two. */
export default async function ReportPage({ params }: Props) {
  const api = await apiForThisOperator()
  const report = await firstRead(api.report.open.mutate(await referenceOf(ReportReference, params)))
  return (
    <ConsolePage nouns={['reports']}>
      <ReportView report={report} />
    </ConsolePage>
  )
}
