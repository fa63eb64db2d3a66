'use client'

import { useTranslations } from 'next-intl'
import { createContext, type ReactNode, useMemo, useState } from 'react'
import { useAnnounce } from '../announcer.tsx'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import styles from './data-table.module.css'

type Picks = { keys: ReadonlySet<string>; toggle: (key: string) => void }

export type Selection<Row> = Picks & {
  picked: readonly Row[]
  /** All rows of the page, or none of them. */
  togglePage: () => void
  clear: () => void
}

const none: ReadonlySet<string> = new Set()

/** Reaches the box of a row past the row, which is not drawn anew when it is chosen. */
export const PicksContext = createContext<Picks>({ keys: none, toggle: () => {} })

/** Which rows of the page are chosen; a row that has left the page is not. */
export function useSelection<Row>(
  rows: readonly Row[] | undefined,
  rowKey: (row: Row) => string,
): Selection<Row> {
  const t = useTranslations('ui')
  const announce = useAnnounce()
  const [chosen, setChosen] = useState(none)
  return useMemo(() => {
    const page = rows?.map(rowKey) ?? []
    const keys = new Set(page.filter((key) => chosen.has(key)))
    const choose = (next: readonly string[]) => {
      setChosen(new Set(next))
      announce(t('selected', { count: next.length }), { quiet: true })
    }
    return {
      keys,
      picked: rows?.filter((row) => keys.has(rowKey(row))) ?? [],
      toggle: (key) => choose(keys.has(key) ? [...keys].filter((other) => other !== key) : [...keys, key]),
      togglePage: () => choose(keys.size === page.length ? [] : page),
      clear: () => setChosen(none),
    }
  }, [rows, rowKey, chosen, announce, t])
}

type BulkBarProps = { count: number; clear: () => void; children: ReactNode }

/** What may be done with the chosen rows, at hand while any are chosen. */
export function BulkBar({ count, clear, children }: BulkBarProps) {
  const t = useTranslations('ui')
  if (count === 0) return null
  return (
    <section className={styles['bulk']} aria-label={t('bulkActs')}>
      <strong>{t('selected', { count })}</strong>
      <div className={styles['bulkActs']}>{children}</div>
      <Button look="text" icon={<Icon name="close" />} onClick={clear}>
        {t('clearSelection')}
      </Button>
    </section>
  )
}
