import { ReportReference } from '@meridian/contracts'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../../api-client/api-calls.ts'
import { firstRead } from '../../../../api-client/first-read.ts'
import { ReportView } from '../../../../features/reports/report-view.tsx'
import { truncateMiddle } from '../../../../format.ts'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('reports')
  return { title: t('detailTitle', { id: truncateMiddle((await params).id) }) }
}

/** Opened here, on the server, so that one look is one entry on record: a browser that reads again would make two. */
export default async function ReportPage({ params }: Props) {
  const reference = ReportReference.safeParse(await params)
  if (!reference.success) notFound()
  const api = await apiForThisOperator()
  const report = await firstRead(api.report.open.mutate(reference.data))
  return <ReportView report={report} />
}
