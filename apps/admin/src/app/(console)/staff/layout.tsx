import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function StaffLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['staff', 'session']}>{children}</PageMessages>
}
