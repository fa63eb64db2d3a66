'use client'

import { useTranslations } from 'next-intl'
import { parseAsString, useQueryState } from 'nuqs'
import { useCallback, useMemo } from 'react'
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

type Cursors = { previousCursor: string | null; nextCursor: string | null }

/** The place in a list, kept in the address. */
export function useCursor(page: Cursors | undefined): PageTurns {
  const [, setCursor] = useQueryState('cursor', parseAsString.withOptions({ history: 'push' }))
  const turnTo = useCallback(
    (cursor: string) => void setCursor(cursor).then(() => scrollTo({ top: 0 })),
    [setCursor],
  )
  const { previousCursor, nextCursor } = page ?? { previousCursor: null, nextCursor: null }
  return useMemo(
    () => ({
      previous: previousCursor === null ? null : () => turnTo(previousCursor),
      next: nextCursor === null ? null : () => turnTo(nextCursor),
    }),
    [previousCursor, nextCursor, turnTo],
  )
}
