import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { JobsView } from '../../../features/jobs/jobs-view.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('jobs')
  return { title: t('title') }
}

export default function JobsPage() {
  return <JobsView />
}
