import { ExportsView } from '../../../../features/exports/exports-view.tsx'
import { sectionPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = sectionPage((t) => t('exports.title'), {
  nouns: ['exports'],
  View: ExportsView,
})

export { generateMetadata, page as default }
