import Link from 'next/link'
import type { ReactNode } from 'react'
import styles from './back-link.module.css'
import { Icon } from './icon.tsx'

/** The way back from one thing to the list it stands in. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={styles['back']}>
      <Icon name="back" />
      {children}
    </Link>
  )
}
