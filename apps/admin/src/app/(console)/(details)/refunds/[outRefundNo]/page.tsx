import { RefundReference } from '@meridian/contracts'
import { getTranslations } from 'next-intl/server'
import { RefundView } from '../../../../../features/refunds/detail/refund-view.tsx'
import { truncateMiddle } from '../../../../../format.ts'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'
import { referenceOf } from '../../../../../kit/page/reference-of.ts'

type Props = { params: Promise<{ outRefundNo: string }> }

export async function generateMetadata({ params }: Props) {
  const t = await getTranslations('refunds')
  return { title: t('detailTitle', { outRefundNo: truncateMiddle((await params).outRefundNo) }) }
}

export default async function RefundPage({ params }: Props) {
  const reference = await referenceOf(RefundReference, params)
  return (
    <ConsolePage
      nouns={['alerts', 'approvals', 'refunds']}
      reads={({ trpc, fetch }) => [fetch(trpc.refund.detail.queryOptions(reference))]}
    >
      <RefundView outRefundNo={reference.outRefundNo} />
    </ConsolePage>
  )
}
