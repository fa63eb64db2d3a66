'use client'

import { OrderSort } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Select } from '../../../ui/select.tsx'
import type { OrderListState } from '../order-list-params.ts'
import styles from './filters.module.css'

export function SortField({ list: { params, change } }: { list: OrderListState }) {
  const t = useTranslations('orders')
  return (
    <Select
      className={styles['sort'] ?? ''}
      aria-label={t('sort')}
      value={params.sort}
      options={OrderSort.options.map((value) => ({ value, label: t(`sorts.${value}`) }))}
      onChange={(sort) => change({ sort })}
      popupMatchSelectWidth={false}
    />
  )
}
