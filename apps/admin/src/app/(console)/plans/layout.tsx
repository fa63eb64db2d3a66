import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function PlansLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['plans', 'subscriptions', 'approvals']}>{children}</PageMessages>
}
