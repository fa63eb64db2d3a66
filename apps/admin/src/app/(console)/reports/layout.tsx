import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function ReportsLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['reports']}>{children}</PageMessages>
}
