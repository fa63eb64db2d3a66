import { getTranslations } from 'next-intl/server'
import { PlansView } from '../../../../features/plans/plans-view.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('plans'))('title') })

export default function PlansPage() {
  return (
    <ConsolePage
      nouns={['approvals', 'plans', 'subscriptions']}
      reads={({ trpc, fetch }) => [fetch(trpc.plan.catalogue.queryOptions())]}
    >
      <PlansView />
    </ConsolePage>
  )
}
