import { formatFen, type RefundRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { RefundStatusBadge } from './refund-status-badge.tsx'

type Sorting = { sort: 'newest' | 'oldest'; change: (changes: { sort: 'newest' | 'oldest' }) => void }

/** Which order, why and by whom. */
function useBackground(): Column<RefundRow>[] {
  const t = useTranslations('refunds')
  return [
    {
      key: 'order',
      title: t('outTradeNo'),
      skeleton: 132,
      from: 'medium',
      card: 'line',
      cell: (row) => (
        <Identifier value={row.outTradeNo} name={t('outTradeNo')} href={paths.order(row)} ahead />
      ),
    },
    {
      key: 'reason',
      title: t('reason'),
      skeleton: 64,
      from: 'wide',
      card: 'subEnd',
      cell: ({ reason }) => t(`reasons.${reason}`),
    },
    {
      key: 'requestedBy',
      title: t('requestedBy'),
      skeleton: 112,
      from: 'widest',
      card: 'line',
      cell: ({ requestedByEmail }) => requestedByEmail ?? t('byRule'),
    },
  ]
}

/** How the list of refunds reads from left to right. */
export function useRefundColumns({ sort, change }: Sorting): Column<RefundRow>[] {
  const t = useTranslations('refunds')
  return [
    {
      key: 'refund',
      title: t('outRefundNo'),
      skeleton: 132,
      card: 'head',
      cell: (row) => <Identifier value={row.outRefundNo} name={t('outRefundNo')} href={paths.refund(row)} />,
    },
    {
      key: 'status',
      title: t('status'),
      skeleton: 72,
      card: 'sub',
      cell: ({ state, contradicted }) => <RefundStatusBadge state={state} contradicted={contradicted} />,
    },
    {
      key: 'amount',
      title: t('amount'),
      align: 'end',
      skeleton: 72,
      card: 'headEnd',
      cell: ({ amountFen }) => formatFen(-amountFen),
    },
    ...useBackground(),
    {
      key: 'createdAt',
      title: t('createdAt'),
      skeleton: 112,
      card: 'line',
      cell: ({ createdAt }) => <DateTime time={createdAt} />,
      sort: {
        direction: sort === 'newest' ? 'descending' : 'ascending',
        press: () => change({ sort: sort === 'newest' ? 'oldest' : 'newest' }),
      },
    },
    {
      key: 'succeededAt',
      title: t('succeededAt'),
      skeleton: 112,
      from: 'wide',
      card: 'none',
      cell: ({ succeededAt }) => (succeededAt ? <DateTime time={succeededAt} /> : <EmptyValue />),
    },
  ]
}
