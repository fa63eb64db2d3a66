import { RefundReference } from '@meridian/contracts'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { FirstReads } from '../../../../api-client/first-reads.tsx'
import { RefundView } from '../../../../features/refunds/detail/refund-view.tsx'
import { truncateMiddle } from '../../../../format.ts'

type Props = { params: Promise<{ outRefundNo: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('refunds')
  return { title: t('detailTitle', { outRefundNo: truncateMiddle((await params).outRefundNo) }) }
}

export default async function RefundPage({ params }: Props) {
  const reference = RefundReference.safeParse(await params)
  if (!reference.success) notFound()
  return (
    <FirstReads of={({ trpc, fetch }) => [fetch(trpc.refund.detail.queryOptions(reference.data))]}>
      <RefundView outRefundNo={reference.data.outRefundNo} />
    </FirstReads>
  )
}
