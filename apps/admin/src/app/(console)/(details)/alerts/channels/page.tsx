import { getTranslations } from 'next-intl/server'
import { AlertChannelsView } from '../../../../../features/alert-channels/alert-channels-view.tsx'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('alertChannels'))('title') })

export default function AlertChannelsPage() {
  return (
    <ConsolePage nouns={['alertChannels', 'alerts']}>
      <AlertChannelsView />
    </ConsolePage>
  )
}
