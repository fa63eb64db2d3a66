import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { KeysView } from '../../../features/keys/keys-view.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('keys')
  return { title: t('title') }
}

export default function KeysPage() {
  return <KeysView />
}
