import { AlertReference } from '@meridian/contracts'
import { getTranslations } from 'next-intl/server'
import { AlertView } from '../../../../../features/alerts/detail/alert-view.tsx'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'
import { referenceOf } from '../../../../../kit/page/reference-of.ts'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props) {
  const t = await getTranslations('alerts')
  return { title: t('detailTitle', { id: (await params).id }) }
}

export default async function AlertPage({ params }: Props) {
  const reference = await referenceOf(AlertReference, params)
  return (
    <ConsolePage
      nouns={['alerts', 'approvals', 'mismatch', 'notifications', 'order', 'orders', 'refunds']}
      reads={({ trpc, fetch }) => [fetch(trpc.alert.detail.queryOptions(reference))]}
    >
      <AlertView id={reference.id} />
    </ConsolePage>
  )
}
