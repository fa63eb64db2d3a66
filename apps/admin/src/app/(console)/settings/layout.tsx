import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <PageMessages nouns={['settings', 'subscriptions', 'approvals', 'programBounds']}>
      {children}
    </PageMessages>
  )
}
