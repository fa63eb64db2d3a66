'use client'

import { formatFen, type ReconciledDay } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { type DeskParams, dayListQueryOf } from './reconciliation-params.ts'
import { DayBadges } from './state-badges.tsx'

type Sum = 'orderFen' | 'ledgerFen' | 'billFen'

function useDayColumns(): Column<ReconciledDay>[] {
  const t = useTranslations('reconciliation')
  const sum = (key: Sum, card: 'headEnd' | 'line'): Column<ReconciledDay> => ({
    key,
    title: t(`sums.${key}`),
    align: 'end',
    skeleton: 84,
    card,
    cell: (day) => (day.state === 'open' ? <EmptyValue /> : formatFen(day[key])),
  })
  return [
    {
      key: 'date',
      title: t('date'),
      skeleton: 84,
      card: 'head',
      cell: ({ date }) => <Link href={paths.reconciledDay({ date })}>{date}</Link>,
    },
    { key: 'state', title: t('state'), skeleton: 72, card: 'sub', cell: (day) => <DayBadges day={day} /> },
    sum('orderFen', 'line'),
    sum('ledgerFen', 'line'),
    sum('billFen', 'headEnd'),
    {
      key: 'matchedAt',
      title: t('matchedAt'),
      skeleton: 112,
      from: 'wide',
      card: 'none',
      cell: ({ matchedAt }) => (matchedAt ? <DateTime time={matchedAt} /> : <EmptyValue />),
    },
    {
      key: 'closedBy',
      title: t('closedBy'),
      skeleton: 112,
      from: 'widest',
      card: 'none',
      cell: ({ closedBy }) => closedBy ?? <EmptyValue />,
    },
  ]
}

/** The daily runs, newest first. */
export function DayTable({ params }: { params: DeskParams }) {
  const t = useTranslations('reconciliation')
  const trpc = useTRPC()
  return (
    <DataTable
      name="days"
      caption={t('daysCaption')}
      columns={useDayColumns()}
      rowKey={({ date }) => date}
      rowHref={paths.reconciledDay}
      empty={<BlankSlate icon="inbox" title={t('noDaysTitle')} hint={t('noDaysHint')} />}
      {...useListPage(trpc.reconciliation.days.queryOptions(dayListQueryOf(params)))}
    />
  )
}
