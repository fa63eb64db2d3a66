import { ImportView } from '../../../../../features/devices/import/import-view.tsx'
import { sectionPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = sectionPage((t) => t('devices.import'), {
  nouns: ['devices'],
  View: ImportView,
})

export { generateMetadata, page as default }
