import Link from 'next/link'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './page-header.module.css'

/** The way back from one thing to the list it stands in. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={styles['back']}>
      <Icon name="back" />
      {children}
    </Link>
  )
}
