'use client'

import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { countFilters, type OrderListState } from '../order-list-params.ts'
import { AmountFilter } from './amount-filter.tsx'
import { DateFilter } from './date-filter.tsx'
import styles from './filters.module.css'
import { PlanFilter } from './plan-filter.tsx'
import { SearchField } from './search-field.tsx'
import { SortField } from './sort-field.tsx'

/** Everything that narrows or orders the list; on a phone all but the search waits behind one button. */
export function OrderFilters({ list }: { list: OrderListState }) {
  const t = useTranslations('orders')
  const [open, setOpen] = useState(false)
  const drawer = useId()
  const active = countFilters(list.params)
  return (
    <search className={styles['filters']}>
      <SearchField list={list} />
      <Button
        className={styles['toggle'] ?? ''}
        aria-expanded={open}
        aria-controls={drawer}
        icon={<Icon name="filter" />}
        onClick={() => setOpen(!open)}
      >
        {active > 0 ? `${t('filters')} · ${active}` : t('filters')}
      </Button>
      <div id={drawer} className={styles['rest']} data-open={open || undefined}>
        <PlanFilter list={list} />
        <DateFilter list={list} />
        <AmountFilter list={list} />
        {list.filtered && (
          <Button type="text" icon={<Icon name="close" />} onClick={list.clear}>
            {t('clear')}
          </Button>
        )}
        <SortField list={list} />
      </div>
    </search>
  )
}
