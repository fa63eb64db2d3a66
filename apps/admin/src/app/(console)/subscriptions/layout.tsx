import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function SubscriptionsLayout({ children }: { children: ReactNode }) {
  return (
    <PageMessages nouns={['subscriptions', 'orders', 'order', 'approvals', 'alerts']}>
      {children}
    </PageMessages>
  )
}
