import { getTranslations } from 'next-intl/server'
import { ImportView } from '../../../../../features/devices/import/import-view.tsx'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('devices'))('import') })

export default function DeviceImportPage() {
  return (
    <ConsolePage nouns={['devices']}>
      <ImportView />
    </ConsolePage>
  )
}
