'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { lastDays, nextDays } from '../../format.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { useToday } from '../../ui/clock.tsx'
import bar from '../../ui/filter-bar.module.css'
import { FilterChips, useDaysInWords } from '../../ui/filter-chips.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import type { SubscriptionListState } from './subscription-list-params.ts'

const DayRange = dynamic(() => import('../../ui/day-range.tsx').then((module) => module.DayRange), {
  ssr: false,
  loading: () => <span className={bar['dates']} />,
})

const SOON_DAYS = 7

/** All, those with days, those that soon have none, those without. */
export function SubscriptionTabs({ list: { params, change } }: { list: SubscriptionListState }) {
  const t = useTranslations('subscriptions')
  const views = [
    { key: 'all', label: t('all'), state: null, days_left: null },
    { key: 'active', label: t('states.active'), state: 'active', days_left: null },
    { key: 'soon', label: t('endingWithin', { days: SOON_DAYS }), state: 'active', days_left: SOON_DAYS },
    { key: 'expired', label: t('states.expired'), state: 'expired', days_left: null },
  ] as const
  const tabs = views.map(({ key, label, ...view }) => ({
    key,
    label,
    href: paths.subscriptions({ ...params, ...view, cursor: null }),
    current: params.state === view.state && params.days_left === view.days_left,
    choose: () => change(view),
  }))
  return <LinkTabs label={t('stateFilter')} tabs={tabs} />
}

/** Whose first days ever came in these days: what the overview counts as new. */
export function FreshChip({ list: { params, change } }: { list: SubscriptionListState }) {
  const t = useTranslations('subscriptions')
  const daysInWords = useDaysInWords()
  const { fresh_from: from, fresh_to: to } = params
  if ((from ?? to) === null) return null
  const chip = {
    key: 'fresh',
    label: t('freshOn', { days: daysInWords({ from, to }) }),
    remove: () => change({ fresh_from: null, fresh_to: null }),
  }
  return <FilterChips chips={[chip]} />
}

export function SubscriptionFilters({ list }: { list: SubscriptionListState }) {
  const t = useTranslations('subscriptions')
  const today = useToday()
  const presets = [
    { label: t('ranges.nextWeek'), ...nextDays(today, 7) },
    { label: t('ranges.nextMonth'), ...nextDays(today, 30) },
    { label: t('ranges.lastWeek'), ...lastDays(today, 7) },
    { label: t('ranges.lastMonth'), ...lastDays(today, 30) },
  ]
  return (
    <search className={bar['bar']}>
      <SearchField
        label={t('searchLabel')}
        placeholder={t('searchPlaceholder')}
        value={list.params.q}
        search={(q) => list.change({ q })}
      />
      <DayRange
        className={bar['dates'] ?? ''}
        labels={{ range: t('endDates'), from: t('from'), to: t('to') }}
        from={list.params.from}
        to={list.params.to}
        presets={presets}
        onChange={list.change}
      />
      {list.filtered && (
        <Button type="text" icon={<Icon name="close" />} onClick={list.clear}>
          {t('clear')}
        </Button>
      )}
    </search>
  )
}
