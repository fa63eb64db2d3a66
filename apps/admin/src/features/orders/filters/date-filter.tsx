'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { lastDays } from '../../../format.ts'
import { useToday } from '../../../ui/clock.tsx'
import type { OrderListState } from '../order-list-params.ts'
import styles from './filters.module.css'

const DayRange = dynamic(() => import('../../../ui/day-range.tsx').then((module) => module.DayRange), {
  ssr: false,
  loading: () => <span className={styles['dates']} />,
})

export function DateFilter({ list: { params, change } }: { list: OrderListState }) {
  const t = useTranslations('orders')
  const today = useToday()
  const presets = [
    { label: t('ranges.today'), ...lastDays(today, 1) },
    { label: t('ranges.week'), ...lastDays(today, 7) },
    { label: t('ranges.month'), ...lastDays(today, 30) },
    { label: t('ranges.quarter'), ...lastDays(today, 90) },
  ]
  return (
    <DayRange
      className={styles['dates'] ?? ''}
      labels={{ range: t('dates'), from: t('from'), to: t('to') }}
      from={params.from}
      to={params.to}
      presets={presets}
      onChange={change}
    />
  )
}
