'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { dayAfter, dayOf } from '../../../format.ts'
import type { OrderListState } from '../order-list-params.ts'
import styles from './filters.module.css'

const DayRange = dynamic(() => import('../../../ui/day-range.tsx').then((module) => module.DayRange), {
  ssr: false,
  loading: () => <span className={styles['dates']} />,
})

export function DateFilter({ list: { params, change } }: { list: OrderListState }) {
  const t = useTranslations('orders')
  const today = dayOf(new Date())
  const last = (days: number) => ({ from: dayAfter(today, 1 - days), to: today })
  const presets = [
    { label: t('ranges.today'), ...last(1) },
    { label: t('ranges.week'), ...last(7) },
    { label: t('ranges.month'), ...last(30) },
    { label: t('ranges.quarter'), ...last(90) },
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
