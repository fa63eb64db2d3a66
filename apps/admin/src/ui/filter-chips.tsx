'use client'

import { useTranslations } from 'next-intl'
import styles from './filter-chips.module.css'
import { Icon } from './icon.tsx'

export type FilterChip = { key: string; label: string; remove: () => void }

/** Conditions that came with the address and have no field of their own: each is said, and can be taken off. */
export function FilterChips({ chips }: { chips: readonly FilterChip[] }) {
  const t = useTranslations('ui')
  if (chips.length === 0) return null
  return (
    <ul className={styles['chips']} aria-label={t('conditions')}>
      {chips.map(({ key, label, remove }) => (
        <li key={key}>
          <button type="button" aria-label={t('removeCondition', { name: label })} onClick={remove}>
            {label}
            <Icon name="close" size={14} />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Days in words: one, from one to another, or open at an end. */
export function useDaysInWords(): (days: { from: string | null; to: string | null }) => string {
  const t = useTranslations('ui')
  return ({ from, to }) => {
    if (from !== null && to !== null) return from === to ? from : t('daysBetween', { from, to })
    return from === null ? t('daysUntil', { to: to ?? '' }) : t('daysSince', { from })
  }
}
