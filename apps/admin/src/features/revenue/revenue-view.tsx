'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useQueryStates } from 'nuqs'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { ExportButton } from '../../kit/list/export-button.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import { DateTime, useToday } from '../../ui/date-time.tsx'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { StaleNotice } from '../../ui/stale-notice.tsx'
import { MonthPicker } from '../finance/month-picker.tsx'
import { ChurnPanel } from './churn-panel.tsx'
import { CohortPanel } from './cohort-panel.tsx'
import { DeferredPanels } from './deferred-panels.tsx'
import { PlanRevenuePanel } from './plan-revenue.tsx'
import { revenueParsers, revenueQueries, spans } from './revenue-params.ts'

const channels = ['all', 'jsapi', 'virtual'] as const

/** What the page shows, as it stands in the address, and the reading of deferred income. */
function useRevenue() {
  const [params, setParams] = useQueryStates(revenueParsers, { history: 'push' })
  const asked = revenueQueries(params, useToday())
  return { params, setParams, ...asked }
}
type Shown = ReturnType<typeof useRevenue>

/** Which month, of which channel, and how many months; and the days as a file. */
function Choices({ params, setParams, deferred }: Shown) {
  const t = useTranslations('revenue')
  const names = useTranslations('orders.channels')
  const labelOf = (channel: (typeof channels)[number]) =>
    channel === 'all' ? t('allChannels') : names(channel)
  return (
    <span className={layout['acts']}>
      <MonthPicker
        month={deferred.month}
        choose={(month) => void setParams({ month })}
        href={(month) => paths.revenue({ month })}
      />
      <Select
        aria-label={t('channel')}
        value={params.channel ?? 'all'}
        options={channels.map((value) => ({ value, label: labelOf(value) }))}
        onChange={(value) => void setParams({ channel: value === 'all' ? null : value })}
      />
      <Select
        aria-label={t('span')}
        value={params.span}
        options={spans.map((value) => ({ value, label: t(`spans.${value}`) }))}
        onChange={(span) => void setParams({ span })}
      />
      <ExportButton name="deferred" query={deferred} />
    </span>
  )
}

/** What a month earned and still owes, what each plan brought, who left, and who stayed. */
export function RevenueView() {
  const t = useTranslations('revenue')
  const finance = useTranslations('finance')
  const shown = useRevenue()
  const { deferred, range, params, setParams } = shown
  const query = useQuery({
    ...useTRPC().revenue.deferred.queryOptions(deferred),
    placeholderData: keepPreviousData,
  })
  const reachedAt = query.data?.reachedAt
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={
          reachedAt && (
            <>
              {finance('asOf')} <DateTime time={reachedAt} exact />
            </>
          )
        }
        actions={<Choices {...shown} />}
      />
      <StaleNotice of={query} />
      <Loaded query={query}>
        {(read) => (
          <div className={layout['rows']} aria-busy={query.isPlaceholderData || undefined}>
            {read.reachedAt ? (
              <DeferredPanels shown={read} />
            ) : (
              <Notice tone="info" icon="clock" role="status">
                {t('notReached')}
              </Notice>
            )}
            <PlanRevenuePanel month={deferred.month} />
            <ChurnPanel range={range} />
            <CohortPanel
              range={range}
              measure={params.measure}
              choose={(measure) => void setParams({ measure })}
            />
          </div>
        )}
      </Loaded>
    </>
  )
}
