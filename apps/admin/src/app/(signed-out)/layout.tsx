import type { ReactNode } from 'react'
import { ApiProvider } from '../../api-client/api-provider.tsx'
import { Gate } from '../../features/session/gate.tsx'
import { FrameMessages } from '../../messages/page-messages.tsx'

export default function SignedOutLayout({ children }: { children: ReactNode }) {
  return (
    <FrameMessages nouns={['session']}>
      <ApiProvider>
        <Gate>{children}</Gate>
      </ApiProvider>
    </FrameMessages>
  )
}
