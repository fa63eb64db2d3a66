import { KeysView } from '../../../../features/keys/keys-view.tsx'
import { sectionPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = sectionPage((t) => t('keys.title'), {
  nouns: ['keys'],
  View: KeysView,
})

export { generateMetadata, page as default }
