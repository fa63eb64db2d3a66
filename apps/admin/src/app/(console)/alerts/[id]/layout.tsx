import type { ReactNode } from 'react'
import { PageMessages } from '../../../../messages/page-messages.tsx'

export default function AlertLayout({ children }: { children: ReactNode }) {
  return (
    <PageMessages nouns={['alerts', 'order', 'orders', 'approvals', 'notifications', 'refunds', 'mismatch']}>
      {children}
    </PageMessages>
  )
}
