import { getTranslations } from 'next-intl/server'
import { KeysView } from '../../../../features/keys/keys-view.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('keys'))('title') })

export default function KeysPage() {
  return (
    <ConsolePage nouns={['keys']}>
      <KeysView />
    </ConsolePage>
  )
}
