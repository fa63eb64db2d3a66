import { AlertReference } from '@meridian/contracts'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { FirstReads } from '../../../../api-client/first-reads.tsx'
import { AlertView } from '../../../../features/alerts/detail/alert-view.tsx'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('alerts')
  return { title: t('detailTitle', { id: (await params).id }) }
}

export default async function AlertPage({ params }: Props) {
  const reference = AlertReference.safeParse(await params)
  if (!reference.success) notFound()
  return (
    <FirstReads of={({ trpc, fetch }) => [fetch(trpc.alert.detail.queryOptions(reference.data))]}>
      <AlertView id={reference.data.id} />
    </FirstReads>
  )
}
