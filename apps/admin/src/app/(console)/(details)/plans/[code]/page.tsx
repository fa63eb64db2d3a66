import { PlanReference } from '@meridian/contracts'
import { PlanView } from '../../../../../features/plans/plan-view.tsx'
import { detailPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: PlanReference,
  title: (t, { code }) => t('plans.detailTitle', { code }),
  nouns: ['approvals', 'plans', 'subscriptions'],
  reads: ({ trpc, fetch }, reference) => [fetch(trpc.plan.detail.queryOptions(reference))],
  View: PlanView,
})

export { generateMetadata, page as default }
