import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function AccountLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['account', 'session']}>{children}</PageMessages>
}
