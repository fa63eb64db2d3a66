import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function JobsLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['jobs']}>{children}</PageMessages>
}
