import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ImportView } from '../../../../features/devices/import/import-view.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('devices')
  return { title: t('import') }
}

export default function DeviceImportPage() {
  return <ImportView />
}
