import { SubscriptionReference } from '@meridian/contracts'
import { getTranslations } from 'next-intl/server'
import { SubscriptionView } from '../../../../../features/subscriptions/detail/subscription-view.tsx'
import { truncateMiddle } from '../../../../../format.ts'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'
import { referenceOf } from '../../../../../kit/page/reference-of.ts'

type Props = { params: Promise<{ userId: string }> }

export async function generateMetadata({ params }: Props) {
  const t = await getTranslations('subscriptions')
  return { title: t('detailTitle', { userId: truncateMiddle((await params).userId) }) }
}

export default async function SubscriptionPage({ params }: Props) {
  const reference = await referenceOf(SubscriptionReference, params)
  return (
    <ConsolePage
      nouns={['alerts', 'approvals', 'order', 'orders', 'subscriptions']}
      reads={({ trpc, fetch }) => [fetch(trpc.subscription.detail.queryOptions(reference))]}
    >
      <SubscriptionView userId={reference.userId} />
    </ConsolePage>
  )
}
