'use client'

import { useTranslations } from 'next-intl'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import styles from './data-table.module.css'

/** Where the pages before and after are; null where there is none. */
export type PageTurns = { previous: (() => void) | null; next: (() => void) | null }

export function PageTurner({ turns: { previous, next }, busy }: { turns: PageTurns; busy: boolean }) {
  const t = useTranslations('ui')
  const zoneHint = useTranslations('shell')('zoneHint')
  return (
    <nav className={styles['turner']} aria-label={t('pages')}>
      <div className={styles['notes']}>
        <span>{zoneHint}</span>
        <span className={styles['keys']}>{t('keys')}</span>
      </div>
      <Button disabled={!previous || busy} onClick={() => previous?.()} icon={<Icon name="chevronLeft" />}>
        {t('previous')}
      </Button>
      <Button
        disabled={!next || busy}
        onClick={() => next?.()}
        icon={<Icon name="chevronRight" />}
        iconPlacement="end"
      >
        {t('next')}
      </Button>
    </nav>
  )
}
