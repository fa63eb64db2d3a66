import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function DevicesLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['devices']}>{children}</PageMessages>
}
