import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function ApprovalsLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['approvals', 'settings']}>{children}</PageMessages>
}
