import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function ReconciliationLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['reconciliation', 'orders', 'refunds']}>{children}</PageMessages>
}
