import { PlanReference } from '@meridian/contracts'
import { getTranslations } from 'next-intl/server'
import { PlanView } from '../../../../../features/plans/plan-view.tsx'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'
import { referenceOf } from '../../../../../kit/page/reference-of.ts'

type Props = { params: Promise<{ code: string }> }

export async function generateMetadata({ params }: Props) {
  const t = await getTranslations('plans')
  return { title: t('detailTitle', { code: (await params).code }) }
}

export default async function PlanPage({ params }: Props) {
  const reference = await referenceOf(PlanReference, params)
  return (
    <ConsolePage
      nouns={['approvals', 'plans', 'subscriptions']}
      reads={({ trpc, fetch }) => [fetch(trpc.plan.detail.queryOptions(reference))]}
    >
      <PlanView code={reference.code} />
    </ConsolePage>
  )
}
