import { type ReportRow, reportNumber } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { ReportKindBadge } from './report-kind-badge.tsx'
import type { ReportListState } from './report-list-params.ts'

/** How the list of reports reads from left to right. */
export function useReportColumns({ params, change }: ReportListState): Column<ReportRow>[] {
  const t = useTranslations('reports.columns')
  const byTime = { oldest: 'ascending', newest: 'descending' } as const
  return [
    {
      key: 'report',
      title: t('report'),
      skeleton: 120,
      card: 'head',
      cell: (report) => <Identifier value={report.id} name={t('report')} href={paths.report(report)} />,
    },
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
    {
      key: 'user',
      title: t('user'),
      skeleton: 108,
      from: 'medium',
      card: 'none',
      cell: ({ userId }) => <Identifier value={userId} name={t('user')} />,
    },
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
    {
      key: 'startedAt',
      title: t('startedAt'),
      skeleton: 112,
      card: 'line',
      cell: ({ startedAt }) => <DateTime time={startedAt} />,
      sort: {
        direction: byTime[params.sort],
        press: () => change({ sort: params.sort === 'newest' ? 'oldest' : 'newest' }),
      },
    },
  ]
}
