'use client'

import { DeviceState } from '@meridian/contracts'
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
import { Select } from '../../ui/select.tsx'
import type { DeviceListState } from './device-list-params.ts'

const DayRange = dynamic(() => import('../../ui/day-range.tsx').then((module) => module.DayRange), {
  ssr: false,
  loading: () => <span className={bar['dates']} />,
})

export function DeviceTabs({ list: { params, change } }: { list: DeviceListState }) {
  const t = useTranslations('devices')
  const tabs = [null, ...DeviceState.options].map((state) => ({
    key: state ?? 'all',
    label: state === null ? t('all') : t(`states.${state}`),
    href: paths.devices({ ...params, state, cursor: null }),
    current: params.state === state,
    choose: () => change({ state }),
  }))
  return <LinkTabs label={t('stateFilter')} tabs={tabs} />
}

export function DeviceFilters({ list }: { list: DeviceListState }) {
  const t = useTranslations('devices')
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
      <Select<'any' | 'inventory' | 'phone'>
        aria-label={t('origin')}
        value={list.params.origin ?? 'any'}
        options={(['any', 'inventory', 'phone'] as const).map((value) => ({
          value,
          label: t(`origins.${value}`),
        }))}
        onChange={(origin) => list.change({ origin: origin === 'any' ? null : origin })}
        popupMatchSelectWidth={false}
      />
      {list.filtered && (
        <Button type="text" icon={<Icon name="close" />} onClick={list.clear}>
          {t('clear')}
        </Button>
      )}
    </search>
  )
}
