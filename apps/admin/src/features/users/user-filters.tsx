'use client'

import { UserState } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { lastDays } from '../../format.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { useToday } from '../../ui/clock.tsx'
import bar from '../../ui/filter-bar.module.css'
import { Icon } from '../../ui/icon.tsx'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import type { UserListState } from './user-list-params.ts'

const DayRange = dynamic(() => import('../../ui/day-range.tsx').then((module) => module.DayRange), {
  ssr: false,
  loading: () => <span className={bar['dates']} />,
})

export function UserTabs({ list: { params, change } }: { list: UserListState }) {
  const t = useTranslations('users')
  const tabs = [null, ...UserState.options].map((state) => ({
    key: state ?? 'all',
    label: state === null ? t('all') : t(`states.${state}`),
    href: paths.users({ ...params, state, cursor: null }),
    current: params.state === state,
    choose: () => change({ state }),
  }))
  return <LinkTabs label={t('stateFilter')} tabs={tabs} />
}

export function UserFilters({ list }: { list: UserListState }) {
  const t = useTranslations('users')
  const today = useToday()
  const presets = [
    { label: t('ranges.week'), ...lastDays(today, 7) },
    { label: t('ranges.month'), ...lastDays(today, 30) },
    { label: t('ranges.quarter'), ...lastDays(today, 90) },
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
        labels={{ range: t('dates'), from: t('from'), to: t('to') }}
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
