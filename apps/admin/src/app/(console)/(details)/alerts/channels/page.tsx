import { AlertChannelsView } from '../../../../../features/alert-channels/alert-channels-view.tsx'
import { sectionPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = sectionPage((t) => t('alertChannels.title'), {
  nouns: ['alertChannels', 'alerts'],
  View: AlertChannelsView,
})

export { generateMetadata, page as default }
