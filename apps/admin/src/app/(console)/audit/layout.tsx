import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function AuditLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['audit', 'session']}>{children}</PageMessages>
}
