import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function RefundsLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['refunds', 'approvals', 'alerts']}>{children}</PageMessages>
}
