'use client'

import { ReportKind } from '@meridian/contracts'
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
import type { ReportListState } from './report-list-params.ts'

const DayRange = dynamic(() => import('../../ui/day-range.tsx').then((module) => module.DayRange), {
  ssr: false,
  loading: () => <span className={bar['dates']} />,
})

/** One kind or both. */
export function KindTabs({ list: { params, change } }: { list: ReportListState }) {
  const t = useTranslations('reports')
  const tabs = [null, ...ReportKind.options].map((kind) => ({
    key: kind ?? 'all',
    label: kind === null ? t('all') : t(`kinds.${kind}`),
    href: paths.reports({ ...params, kind, cursor: null }),
    current: params.kind === kind,
    choose: () => change({ kind }),
  }))
  return <LinkTabs label={t('kindFilter')} tabs={tabs} />
}

export function ReportFilters({ list }: { list: ReportListState }) {
  const t = useTranslations('reports')
  const today = useToday()
  const presets = [
    { label: t('ranges.today'), ...lastDays(today, 1) },
    { label: t('ranges.week'), ...lastDays(today, 7) },
    { label: t('ranges.month'), ...lastDays(today, 30) },
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
