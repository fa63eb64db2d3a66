'use client'

import { EXACT_COUNT_LIMIT } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import { useReportColumns } from './report-columns.tsx'
import { KindTabs, ReportFilters } from './report-filters.tsx'
import { hasFilters, type ReportListParams, reportFilterOf, reportListQueryOf } from './report-list-params.ts'
import { type ReportListState, useReportList } from './use-report-list.ts'

function Count({ params }: { params: ReportListParams }) {
  const t = useTranslations('reports')
  const trpc = useTRPC()
  const totals = useQuery({
    ...trpc.report.totals.queryOptions(reportFilterOf(params)),
    placeholderData: keepPreviousData,
  })
  if (totals.isError) return <span>{t('countFailed')}</span>
  if (!totals.data) return <Skeleton width={80} />
  const { count, more } = totals.data
  return more ? t('countMore', { count: EXACT_COUNT_LIMIT }) : t('count', { count })
}

function Empty({ list }: { list: ReportListState }) {
  const t = useTranslations('reports')
  return hasFilters(list.params) || list.params.cursor !== null ? (
    <BlankSlate
      icon="search"
      title={t('noMatchTitle')}
      hint={t('noMatchHint')}
      action={<Button onClick={list.clear}>{t('clear')}</Button>}
    />
  ) : (
    <BlankSlate icon="inbox" title={t('emptyTitle')} hint={t('emptyHint')} />
  )
}

function ReportTable({ list }: { list: ReportListState }) {
  const t = useTranslations('reports')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const page = useQuery({
    ...trpc.report.list.queryOptions(reportListQueryOf(list.params)),
    placeholderData: keepPreviousData,
  })
  const { previousCursor, nextCursor } = page.data ?? { previousCursor: null, nextCursor: null }
  const { turnTo } = list
  const turns = useMemo(
    () => ({
      previous: previousCursor === null ? null : () => turnTo(previousCursor),
      next: nextCursor === null ? null : () => turnTo(nextCursor),
    }),
    [previousCursor, nextCursor, turnTo],
  )
  return (
    <DataTable
      caption={t('caption')}
      columns={useReportColumns(list)}
      rows={page.data?.items}
      rowKey={(report) => report.id}
      rowHref={paths.report}
      busy={page.isFetching && (page.isPending || page.isPlaceholderData)}
      failure={failureOf(page.error)}
      onRetry={() => void page.refetch()}
      empty={<Empty list={list} />}
      turns={turns}
    />
  )
}

function Reports() {
  const t = useTranslations('reports')
  const list = useReportList()
  return (
    <>
      <PageHeader title={t('title')} aside={<Count params={list.params} />} />
      <SavedViews />
      <Panel>
        <KindTabs list={list} />
        <ReportFilters list={list} />
        <ReportTable list={list} />
      </Panel>
    </>
  )
}

/** The list of reports, for who may read health data. */
export function ReportsView() {
  const t = useTranslations('reports')
  const forbidden = useForbidden('report.read')
  if (!forbidden) return <Reports />
  return (
    <>
      <PageHeader title={t('title')} />
      <Panel>
        <BlankSlate icon="key" title={t('forbiddenTitle')} hint={t('forbidden', forbidden)} />
      </Panel>
    </>
  )
}
