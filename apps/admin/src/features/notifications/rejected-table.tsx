'use client'

import type { RejectedDelivery } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMessages, useTranslations } from 'next-intl'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { type NotificationParams, rejectedQueryOf } from '../../desk-addresses.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { PageTurner, useCursor } from '../../ui/data-table/page-turner.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { useDaysInWords } from '../../ui/filter-chips.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Raw } from '../../ui/text.tsx'
import styles from './notifications.module.css'

/** The word for a reason; one that is newer than this console is shown as it is. */
function useReason(): (code: string) => string {
  const words: Readonly<Record<string, string>> = useMessages().notifications.reasons
  return (code) => words[code] ?? code
}

function useRejectedColumns(): Column<RejectedDelivery>[] {
  const t = useTranslations('notifications')
  const column = columnsOf(t)
  const reasonOf = useReason()
  const serial = ({ headers }: RejectedDelivery) => (
    <Raw className={styles['code']}>{headers['wechatpay-serial'] ?? t('none')}</Raw>
  )
  return [
    column.time('at', ({ at }) => at, { exact: true }),
    column.text('reason', ({ reason }) => reasonOf(reason)),
    column.cell('source', ({ source }) => <Raw>{source}</Raw>),
    column.cell('serial', serial),
    column.count('bytes', ({ bodyBytes }) => bodyBytes),
  ]
}

/** Deliveries that did not verify: a sample of them, and how many there were within a day. */
export function RejectedTable({ params }: { params: NotificationParams }) {
  const t = useTranslations('notifications')
  const failureOf = useFailure()
  const reasonOf = useReason()
  const daysInWords = useDaysInWords()
  const page = useQuery({
    ...useTRPC().notification.rejected.queryOptions(rejectedQueryOf(params)),
    placeholderData: keepPreviousData,
  })
  const columns = useRejectedColumns()
  const turns = useCursor(page.data)
  const failure = failureOf(page.error)
  if (failure && !page.data) return <FailurePanel failure={failure} onRetry={() => void page.refetch()} />
  if (!page.data) return <Skeleton height={240} />
  const { items, counts } = page.data
  const days = { from: params.from, to: params.to }
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  if (items.length === 0 && counts.length === 0)
    return <BlankSlate icon="shield" title={t('rejectedEmptyTitle')} hint={t('rejectedEmptyHint')} />
  return (
    <div className={styles['rejected']}>
      <p>
        {days.from === null && days.to === null
          ? t('withinADay')
          : t('refusedWithin', { days: daysInWords(days), count: total })}{' '}
        {counts.length === 0
          ? t('none')
          : counts
              .map(({ reason, count }) => t('reasonCount', { reason: reasonOf(reason), count }))
              .join(' · ')}
      </p>
      <PlainTable
        caption={t('rejectedCaption')}
        columns={columns}
        rows={items}
        rowKey={({ id }) => id}
        empty={t('rejectedEmptyTitle')}
      />
      <PageTurner turns={turns} busy={page.isPlaceholderData} />
    </div>
  )
}
