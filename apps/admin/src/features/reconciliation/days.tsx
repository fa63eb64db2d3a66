'use client'

import { formatFen, type ReconciledDay } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { pageOf } from '../../kit/list/address.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { type TableDefinition, useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { DayBadges } from './state-badges.tsx'

function useDayColumns(): Column<ReconciledDay>[] {
  const column = columnsOf(useTranslations('reconciliation'))
  const sum = (key: 'orderFen' | 'ledgerFen' | 'billFen', card: 'headEnd' | 'line') =>
    column.count<ReconciledDay>(
      `sums.${key}`,
      (day) => (day.state === 'open' ? <EmptyValue /> : formatFen(day[key])),
      { key, card, skeleton: 84 },
    )
  return [
    column.cell('date', ({ date }) => <Link href={paths.reconciledDay({ date })}>{date}</Link>, {
      card: 'head',
      skeleton: 84,
    }),
    column.cell('state', (day) => <DayBadges day={day} />, { card: 'sub' }),
    sum('orderFen', 'line'),
    sum('ledgerFen', 'line'),
    sum('billFen', 'headEnd'),
    column.time('matchedAt', ({ matchedAt }) => matchedAt, { card: 'none', from: 'wide' }),
    column.text('closedBy', ({ closedBy }) => closedBy, { card: 'none', from: 'widest', skeleton: 112 }),
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
