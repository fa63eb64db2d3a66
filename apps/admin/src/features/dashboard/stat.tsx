import Link from 'next/link'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import layout from '../../ui/layout.module.css'
import styles from './dashboard.module.css'

const percent = new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'always',
})

/** How a figure stands to the one before; nothing where there was none. */
export function Change({ now, before }: { now: number; before: number }) {
  const t = useTranslations('dashboard')
  if (before === 0) return <span className={styles['change']}>{t('noComparison')}</span>
  const change = (now - before) / Math.abs(before)
  return (
    <span className={styles['change']} data-way={change > 0 ? 'up' : change < 0 ? 'down' : undefined}>
      {t('compared', { change: percent.format(change) })}
    </span>
  )
}

/** One number with its name; where it comes from is a press away. */
export function Stat({
  label,
  value,
  href,
  children,
}: {
  label: string
  value: string
  href?: string
  children?: ReactNode
}) {
  return (
    <div className={`${layout['tile']} ${styles['stat']}`}>
      <dt>{label}</dt>
      <dd>
        <span className={styles['value']}>{href ? <Link href={href}>{value}</Link> : value}</span>
        {children}
      </dd>
    </div>
  )
}
