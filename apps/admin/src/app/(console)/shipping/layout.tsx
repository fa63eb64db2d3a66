import type { ReactNode } from 'react'
import { PageMessages } from '../../../messages/page-messages.tsx'

export default function ShippingLayout({ children }: { children: ReactNode }) {
  return <PageMessages nouns={['shipping']}>{children}</PageMessages>
}
