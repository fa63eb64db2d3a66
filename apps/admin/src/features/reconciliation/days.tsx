'use client'

import { formatFen, type ReconciledDay } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { pageOf } from '../../kit/list/address.ts'
import { timeColumn } from '../../kit/list/columns.tsx'
import { type TableDefinition, useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { EmptyValue } from '../../ui/empty-value.tsx'
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
    timeColumn({
      key: 'matchedAt',
      title: t('matchedAt'),
      from: 'wide',
      card: 'none',
      at: ({ matchedAt }) => matchedAt,
    }),
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
export const days: TableDefinition<Parameters<typeof pageOf>[0], ReconciledDay> = {
  name: 'days',
  useCaption: () => useTranslations('reconciliation')('daysCaption'),
  useRows: (place) => useListPage(useTRPC().reconciliation.days.queryOptions(pageOf(place))),
  rowKey: ({ date }) => date,
  rowHref: paths.reconciledDay,
  useColumns: useDayColumns,
  Empty() {
    const t = useTranslations('reconciliation')
    return <BlankSlate icon="inbox" title={t('noDaysTitle')} hint={t('noDaysHint')} />
  },
}
