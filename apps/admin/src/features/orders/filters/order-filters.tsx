import { formatFen, orderSorts } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useLocale, useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import type { OrderParams } from '../../../addresses.ts'
import { ChoiceFilter, ClearFilters, DaysFilter, SearchFilter } from '../../../kit/list/filters.tsx'
import type { ListState } from '../../../kit/list/use-list-state.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Popup } from '../../../ui/popup.tsx'
import { Select } from '../../../ui/select.tsx'
import { planNameIn, usePlanNames } from '../../plans/plan-name.ts'
import { TagFilter } from '../../tags/tag-filter.tsx'
import { ChannelFilter } from './channel-filter.tsx'
import { type AmountRange, countFilters } from './filter-values.ts'
import styles from './filters.module.css'

const AmountForm = dynamic(() => import('./amount-form.tsx').then((module) => module.AmountForm), {
  ssr: false,
})

function useRangeWords({ min_fen, max_fen }: AmountRange): string {
  const t = useTranslations('orders')
  if (min_fen !== null && max_fen !== null) {
    return t('between', { min: formatFen(min_fen), max: formatFen(max_fen) })
  }
  if (min_fen !== null) return t('atLeast', { amount: formatFen(min_fen) })
  if (max_fen !== null) return t('atMost', { amount: formatFen(max_fen) })
  return t('anyAmount')
}

/** From how much to how much. */
function AmountFilter({ list: { params, change } }: { list: ListState<OrderParams> }) {
  const t = useTranslations('orders')
  const words = useRangeWords(params)
  return (
    <Popup
      label={t('amount')}
      trigger={(attributes) => (
        <Button {...attributes} className={styles['amount'] ?? ''} aria-label={`${t('amount')}: ${words}`}>
          <span>{words}</span>
          <Icon name="chevronDown" size={14} />
        </Button>
      )}
    >
      {(close) => (
        <AmountForm
          range={params}
          apply={(range) => {
            change(range)
            close()
          }}
        />
      )}
    </Popup>
  )
}

type Props = { list: ListState<OrderParams> }

function PlanFilter({ list: { params, change } }: Props) {
  const t = useTranslations('orders')
  const language = useLocale()
  const plans = usePlanNames()
  const options = (plans.data?.items ?? []).map((plan) => {
    const name = planNameIn(plan, language)
    return { value: plan.code, label: plan.onSale ? name : t('offSale', { name }) }
  })
  return (
    <ChoiceFilter
      className={styles['plan']}
      label={t('plan')}
      unchosen={t('allPlans')}
      value={params.plan}
      options={options}
      choose={(plan) => change({ plan })}
    />
  )
}

const spans = ['today', 'lastWeek', 'lastMonth', 'lastQuarter'] as const

/** On which days they were paid, which may be others than those they were made on. */
function PaidFilter({ list: { params, change } }: Props) {
  const t = useTranslations('orders')
  const paid = {
    params: { from: params.paid_from, to: params.paid_to },
    change: ({ from, to }: { from?: string | null; to?: string | null }) =>
      change({ ...(from !== undefined && { paid_from: from }), ...(to !== undefined && { paid_to: to }) }),
  }
  return <DaysFilter className={styles['dates']} t={t} label={t('paidDates')} list={paid} presets={spans} />
}

function SortField({ list: { params, change } }: Props) {
  const t = useTranslations('orders')
  return (
    <Select
      className={styles['sort'] ?? ''}
      aria-label={t('sort')}
      value={params.sort}
      options={orderSorts.map((value) => ({ value, label: t(`sorts.${value}`) }))}
      onChange={(sort) => change({ sort })}
    />
  )
}

/** Everything that narrows or orders the list; on a phone all but the search waits behind one button. */
export function OrderFilters({ list }: Props) {
  const t = useTranslations('orders')
  const [open, setOpen] = useState(false)
  const drawer = useId()
  const active = countFilters(list.params)
  return (
    <search className={styles['filters']}>
      <SearchFilter t={t} list={list} />
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
        <ChannelFilter t={t} list={list} />
        <DaysFilter className={styles['dates']} t={t} label={t('dates')} list={list} presets={spans} />
        <PaidFilter list={list} />
        <AmountFilter list={list} />
        <TagFilter list={list} />
        <ClearFilters list={list} label={t('clear')} />
        <SortField list={list} />
      </div>
    </search>
  )
}
