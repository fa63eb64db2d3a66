import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function DiagnosisLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['diagnosis', 'approvals', 'programBounds']}>{children}</PageMessages>
}
