import { ApprovalsView } from '../../../../features/approvals/approvals-view.tsx'
import { sectionPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = sectionPage((t) => t('approvals.pageTitle'), {
  nouns: ['approvals', 'settings'],
  reads: ({ trpc, fetch }) => [fetch(trpc.approval.waiting.queryOptions())],
  View: ApprovalsView,
})

export { generateMetadata, page as default }
