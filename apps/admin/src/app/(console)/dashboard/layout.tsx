import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function DashboardLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['dashboard', 'orders', 'order', 'alerts']}>{children}</PageMessages>
}
