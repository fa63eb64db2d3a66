import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function NotificationsLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['notifications', 'order', 'mismatch']}>{children}</PageMessages>
}
