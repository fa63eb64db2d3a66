import type { ReactNode } from 'react'

type RawProps = { children: ReactNode; className?: string | undefined; block?: boolean }

/** What is shown as somebody else wrote it: a code of the platform, an id, a payload. Everything else is said in words. */
export function Raw({ children, className, block = false }: RawProps) {
  const As = block ? 'pre' : 'code'
  return (
    <As className={className} data-raw="" translate="no">
      {children}
    </As>
  )
}
