'use client'

import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { EmptyList } from '../lists/empty-list.tsx'
import { ListCount } from '../lists/list-count.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { useListState } from '../lists/use-list-state.ts'
import { SavedViews } from '../views/saved-views.tsx'
import { useReportColumns } from './report-columns.tsx'
import { KindTabs, ReportFilters } from './report-filters.tsx'
import {
  noFilters,
  type ReportListState,
  reportFilterOf,
  reportListParsers,
  reportListQueryOf,
} from './report-list-params.ts'

function ReportTable({ list }: { list: ReportListState }) {
  const t = useTranslations('reports')
  const trpc = useTRPC()
  return (
    <DataTable
      name="reports"
      caption={t('caption')}
      columns={useReportColumns(list)}
      rowKey={(report) => report.id}
      rowHref={paths.report}
      empty={<EmptyList t={t} list={list} />}
      {...useListPage(trpc.report.list.queryOptions(reportListQueryOf(list.params)))}
    />
  )
}

function Reports() {
  const t = useTranslations('reports')
  const trpc = useTRPC()
  const list = useListState(reportListParsers, noFilters)
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={
          <ListCount
            t={t}
            failed={t('countFailed')}
            query={trpc.report.totals.queryOptions(reportFilterOf(list.params))}
          />
        }
      />
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
