import { ImportsView } from '../../../../../features/imports/imports-view.tsx'
import { sectionPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = sectionPage((t) => t('imports.title'), {
  nouns: ['imports'],
  View: ImportsView,
})

export { generateMetadata, page as default }
