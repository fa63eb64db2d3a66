'use client'

import { type ReportKind, type ReportRow, reportKinds, reportNumber } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { idColumn, sortBy, timeColumn } from '../../kit/list/columns.tsx'
import { useCountWords } from '../../kit/list/counts.ts'
import { defineList, ListPage, tabsOf } from '../../kit/list/define-list.tsx'
import { EmptyList } from '../../kit/list/empty-list.tsx'
import { ClearFilters, DaysFilter, FilterBar, SearchFilter } from '../../kit/list/filters.tsx'
import { useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { ReportKindBadge } from './report-kind-badge.tsx'

const useWords = () => useTranslations('reports')

const reports = defineList(addresses.reports)<ReportRow>({
  name: 'reports',
  useWords,
  useRefusal() {
    const t = useWords()
    const forbidden = useForbidden('report.read')
    return forbidden && { title: t('forbiddenTitle'), hint: t('forbidden', forbidden) }
  },
  useSum(filter) {
    const t = useWords()
    return useCountWords({ t, failed: t('countFailed'), query: useTRPC().report.totals.queryOptions(filter) })
  },
  useRows: (query) => useListPage(useTRPC().report.list.queryOptions(query)),
  rowKey: ({ id }) => id,
  rowHref: paths.report,
  useTabs() {
    const t = useWords()
    const tabOf = (kind: ReportKind | null) => ({ label: t(kind ? `kinds.${kind}` : 'all'), sets: { kind } })
    return { label: t('kindFilter'), tabs: tabsOf(reportKinds, tabOf) }
  },
  Filters({ list }) {
    const t = useWords()
    return (
      <FilterBar>
        <SearchFilter t={t} list={list} />
        <DaysFilter t={t} label={t('dates')} list={list} presets={['today', 'lastWeek', 'lastMonth']} />
        <ClearFilters list={list} label={t('clear')} />
      </FilterBar>
    )
  },
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} />,
  useColumns(list) {
    const t = useTranslations('reports.columns')
    return [
      idColumn({
        key: 'report',
        title: t('report'),
        skeleton: 120,
        card: 'head',
        id: ({ id }) => id,
        href: paths.report,
      }),
      {
        key: 'kind',
        title: t('kind'),
        skeleton: 64,
        card: 'sub',
        cell: ({ kind }) => <ReportKindBadge kind={kind} />,
      },
      {
        key: 'score',
        title: t('score'),
        align: 'end',
        skeleton: 40,
        card: 'headEnd',
        cell: ({ score }) => (score === null ? <EmptyValue /> : reportNumber('score', score)),
      },
      idColumn({
        key: 'user',
        title: t('user'),
        skeleton: 108,
        from: 'medium',
        card: 'none',
        id: ({ userId }) => userId,
      }),
      {
        key: 'device',
        title: t('device'),
        skeleton: 96,
        from: 'wide',
        card: 'none',
        cell: ({ serialNumber }) =>
          serialNumber ? <Identifier value={serialNumber} name={t('device')} whole /> : <EmptyValue />,
      },
      {
        key: 'program',
        title: t('program'),
        skeleton: 72,
        from: 'widest',
        card: 'none',
        cell: ({ programCode }) => programCode ?? <EmptyValue />,
      },
      timeColumn({
        key: 'startedAt',
        title: t('startedAt'),
        card: 'line',
        at: ({ startedAt }) => startedAt,
        sort: sortBy(list, { ascending: 'oldest', descending: 'newest' }),
      }),
    ]
  },
})

/** The list of reports, for who may read health data. */
export const ReportList = () => <ListPage definition={reports} />
