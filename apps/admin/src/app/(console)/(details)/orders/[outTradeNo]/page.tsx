import { OrderReference } from '@meridian/contracts'
import { getTranslations } from 'next-intl/server'
import { OrderView } from '../../../../../features/orders/detail/order-view.tsx'
import { truncateMiddle } from '../../../../../format.ts'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'
import { referenceOf } from '../../../../../kit/page/reference-of.ts'

type Props = { params: Promise<{ outTradeNo: string }> }

export async function generateMetadata({ params }: Props) {
  const t = await getTranslations('order')
  return { title: t('title', { outTradeNo: truncateMiddle((await params).outTradeNo) }) }
}

export default async function OrderPage({ params }: Props) {
  const reference = await referenceOf(OrderReference, params)
  return (
    <ConsolePage
      nouns={['alerts', 'approvals', 'order', 'orders', 'refunds', 'subscriptions']}
      reads={({ trpc, fetch }) => [fetch(trpc.order.detail.queryOptions(reference))]}
    >
      <OrderView outTradeNo={reference.outTradeNo} />
    </ConsolePage>
  )
}
