import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { AlertChannelsView } from '../../../../features/alert-channels/alert-channels-view.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('alertChannels')
  return { title: t('title') }
}

export default function AlertChannelsPage() {
  return <AlertChannelsView />
}
