import { DayReference } from '@meridian/contracts'
import { getTranslations } from 'next-intl/server'
import { DayView } from '../../../../../features/reconciliation/day-view.tsx'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'
import { referenceOf } from '../../../../../kit/page/reference-of.ts'

type Props = { params: Promise<{ date: string }> }

export async function generateMetadata({ params }: Props) {
  const t = await getTranslations('reconciliation')
  return { title: `${t('title')} ${(await params).date}` }
}

export default async function ReconciledDayPage({ params }: Props) {
  const reference = await referenceOf(DayReference, params)
  return (
    <ConsolePage
      nouns={['orders', 'reconciliation', 'refunds']}
      reads={({ trpc, fetch }) => [fetch(trpc.reconciliation.day.queryOptions(reference))]}
    >
      <DayView date={reference.date} />
    </ConsolePage>
  )
}
