import { ChecklistView } from '../../../../features/checklist/checklist-view.tsx'
import { sectionPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = sectionPage((t) => t('checklist.title'), {
  nouns: ['checklist'],
  reads: ({ trpc, fetch }) => [fetch(trpc.checklist.show.queryOptions())],
  View: ChecklistView,
})

export { generateMetadata, page as default }
