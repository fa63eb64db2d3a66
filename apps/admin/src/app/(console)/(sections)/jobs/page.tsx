import { JobsView } from '../../../../features/jobs/jobs-view.tsx'
import { sectionPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = sectionPage((t) => t('jobs.title'), {
  nouns: ['jobs'],
  View: JobsView,
})

export { generateMetadata, page as default }
