import type { ReactNode } from 'react'
import { PageMessages } from '../../../../messages/page-messages.tsx'

export default function AlertChannelsLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['alertChannels', 'alerts']}>{children}</PageMessages>
}
