import type { NotificationRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'
import { useNotificationType } from './use-notification-type.ts'

type Sorting = { sort: 'newest' | 'oldest'; change: (changes: { sort: 'newest' | 'oldest' }) => void }

/** How the inbox reads from left to right. */
export function useNotificationColumns({ sort, change }: Sorting): Column<NotificationRow>[] {
  const t = useTranslations('notifications')
  const typeOf = useNotificationType()
  return [
    {
      key: 'id',
      title: t('id'),
      skeleton: 132,
      card: 'head',
      cell: (row) => <Identifier value={row.id} name={t('id')} href={paths.notification(row)} />,
    },
    {
      key: 'outcome',
      title: t('outcome'),
      skeleton: 72,
      card: 'sub',
      cell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
    },
    {
      key: 'type',
      title: t('eventType'),
      skeleton: 112,
      from: 'medium',
      card: 'subEnd',
      cell: ({ eventType }) => typeOf(eventType),
    },
    {
      key: 'order',
      title: t('outTradeNo'),
      skeleton: 132,
      card: 'line',
      cell: ({ outTradeNo }) =>
        outTradeNo ? (
          <Identifier value={outTradeNo} name={t('outTradeNo')} href={paths.order({ outTradeNo })} />
        ) : (
          <EmptyValue />
        ),
    },
    {
      key: 'deliveries',
      title: t('deliveries'),
      align: 'end',
      skeleton: 24,
      from: 'wide',
      card: 'line',
      cell: ({ deliveries }) => deliveries,
    },
    {
      key: 'firstAt',
      title: t('firstAt'),
      skeleton: 112,
      card: 'line',
      cell: ({ firstAt }) => <DateTime time={firstAt} exact />,
      sort: {
        direction: sort === 'newest' ? 'descending' : 'ascending',
        press: () => change({ sort: sort === 'newest' ? 'oldest' : 'newest' }),
      },
    },
  ]
}
