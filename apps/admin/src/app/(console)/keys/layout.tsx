import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function KeysLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['keys']}>{children}</PageMessages>
}
