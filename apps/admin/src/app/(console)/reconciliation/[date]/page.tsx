import { DayReference } from '@meridian/contracts'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { FirstReads } from '../../../../api-client/first-reads.tsx'
import { DayView } from '../../../../features/reconciliation/day-view.tsx'

type Props = { params: Promise<{ date: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('reconciliation')
  return { title: `${t('title')} ${(await params).date}` }
}

export default async function ReconciledDayPage({ params }: Props) {
  const reference = DayReference.safeParse(await params)
  if (!reference.success) notFound()
  return (
    <FirstReads of={({ trpc, fetch }) => [fetch(trpc.reconciliation.day.queryOptions(reference.data))]}>
      <DayView date={reference.data.date} />
    </FirstReads>
  )
}
