import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function AlertsLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['alerts', 'order', 'orders', 'approvals', 'refunds']}>{children}</PageMessages>
}
