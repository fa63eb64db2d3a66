'use client'

import { type ReportKind, type ReportRow, reportKinds, reportNumber } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { byAge, columnsOf, sortBy } from '../../kit/list/columns.tsx'
import { useCountWords } from '../../kit/list/counts.ts'
import { defineList, ListPage, tabsOf } from '../../kit/list/define-list.tsx'
import { UsualFilters } from '../../kit/list/filters.tsx'
import { EmptyList, useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { EmptyValue } from '../../ui/text.tsx'
import { UserLink } from '../related/row-links.tsx'
import { useCustomerPlace } from '../related/use-customer-place.ts'
import { ReportKindBadge } from './report-kind-badge.tsx'

const useWords = () => useTranslations('reports')

const reports = defineList(addresses.reports)<ReportRow>({
  name: 'reports',
  useWords,
  exportAs: 'reports',
  useRefusal() {
    const t = useWords()
    const forbidden = useForbidden('report.read')
    return forbidden && { title: t('forbiddenTitle'), hint: t('forbidden', forbidden) }
  },
  useSum: (filter) => useCountWords(useWords(), useTRPC().report.totals.queryOptions(filter)),
  useRows: (query) => useListPage(useTRPC().report.list.queryOptions(query)),
  rowKey: ({ id }) => id,
  rowHref: paths.report,
  useRowActs: () => (report) => <UserLink userId={report.userId} />,
  useTabs() {
    const t = useWords()
    const tabOf = (kind: ReportKind | null) => ({ label: t(kind ? `kinds.${kind}` : 'all'), sets: { kind } })
    return { label: t('kindFilter'), tabs: tabsOf(reportKinds, tabOf) }
  },
  Filters({ list }) {
    const t = useWords()
    return <UsualFilters t={t} list={list} days={t('dates')} presets={['today', 'lastWeek', 'lastMonth']} />
  },
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} />,
  useColumns(list) {
    const column = columnsOf(useTranslations('reports.columns'))
    const customerPlace = useCustomerPlace()
    return [
      column.id('report', ({ id }) => id, { card: 'head', href: paths.report }),
      column.cell('kind', ({ kind }) => <ReportKindBadge kind={kind} />, { card: 'sub' }),
      column.count('score', ({ score }) => (score === null ? <EmptyValue /> : reportNumber('score', score)), {
        card: 'headEnd',
        skeleton: 40,
      }),
      column.person('user', ({ customer }) => customer, { ...customerPlace, from: 'medium' }),
      column.id('device', ({ serialNumber }) => serialNumber, { card: 'none', from: 'wide', whole: true }),
      column.text('program', ({ programCode }) => programCode, { card: 'none', from: 'widest' }),
      column.time('startedAt', ({ startedAt }) => startedAt, { sort: sortBy(list, byAge) }),
    ]
  },
})

/** The list of reports, for who may read health data. */
export const ReportList = () => <ListPage definition={reports} />
