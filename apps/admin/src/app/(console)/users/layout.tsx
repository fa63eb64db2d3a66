import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function UsersLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['users', 'devices', 'orders']}>{children}</PageMessages>
}
