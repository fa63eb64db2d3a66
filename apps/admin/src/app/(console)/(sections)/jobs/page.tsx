import { getTranslations } from 'next-intl/server'
import { JobsView } from '../../../../features/jobs/jobs-view.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('jobs'))('title') })

export default function JobsPage() {
  return (
    <ConsolePage nouns={['jobs']}>
      <JobsView />
    </ConsolePage>
  )
}
