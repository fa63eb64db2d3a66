import { getTranslations } from 'next-intl/server'
import { DiagnosisView } from '../../../../features/diagnosis/diagnosis-view.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('diagnosis'))('title') })

export default function DiagnosisPage() {
  return (
    <ConsolePage
      nouns={['approvals', 'diagnosis', 'programBounds']}
      reads={({ trpc, fetch }) => [fetch(trpc.diagnosis.desk.queryOptions())]}
    >
      <DiagnosisView />
    </ConsolePage>
  )
}
