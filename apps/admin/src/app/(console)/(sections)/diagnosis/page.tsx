import { DiagnosisView } from '../../../../features/diagnosis/diagnosis-view.tsx'
import { sectionPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = sectionPage((t) => t('diagnosis.title'), {
  nouns: ['approvals', 'diagnosis', 'programBounds'],
  reads: ({ trpc, fetch }) => [fetch(trpc.diagnosis.desk.queryOptions())],
  View: DiagnosisView,
})

export { generateMetadata, page as default }
