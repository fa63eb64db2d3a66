import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function OrdersLayout({ children }: { children: ReactNode }) {
  return (
    <PageMessages nouns={['orders', 'order', 'refunds', 'alerts', 'subscriptions', 'approvals']}>
      {children}
    </PageMessages>
  )
}
