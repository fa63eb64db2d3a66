import { PlansView } from '../../../../features/plans/plans-view.tsx'
import { sectionPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = sectionPage((t) => t('plans.title'), {
  nouns: ['approvals', 'plans', 'subscriptions'],
  reads: ({ trpc, fetch }) => [fetch(trpc.plan.catalogue.queryOptions())],
  View: PlansView,
})

export { generateMetadata, page as default }
