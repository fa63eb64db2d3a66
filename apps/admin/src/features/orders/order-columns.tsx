import { formatFen, type OrderRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import type { OrderListState } from './order-list-params.ts'
import { OrderFlags, OrderStatusBadge } from './order-status-badge.tsx'
import styles from './orders.module.css'

function Amount({ order }: { order: OrderRow }) {
  const t = useTranslations('orders')
  return (
    <span className={styles['amount']}>
      <span className={styles['money']}>{formatFen(order.amountFen)}</span>
      {order.refundedFen > 0 && (
        <span className={styles['refunded']}>{t('refunded', { amount: formatFen(-order.refundedFen) })}</span>
      )}
    </span>
  )
}

/** Who bought and by which payment: what a narrow screen leaves out first. */
function useIdentityColumns(): Column<OrderRow>[] {
  const t = useTranslations('orders.columns')
  const names = useTranslations('order')
  return [
    {
      key: 'user',
      title: t('user'),
      skeleton: 108,
      from: 'widest',
      card: 'none',
      cell: ({ userId }) => (
        <Identifier value={userId} name={names('userId')} href={paths.user({ id: userId })} />
      ),
    },
    {
      key: 'transaction',
      title: t('transaction'),
      skeleton: 108,
      from: 'medium',
      card: 'none',
      cell: (order) =>
        order.transactionId ? (
          <Identifier value={order.transactionId} name={names('transactionId')} />
        ) : (
          <EmptyValue />
        ),
    },
  ]
}

/** How the list of orders reads from left to right. */
export function useOrderColumns({ params, change }: OrderListState): Column<OrderRow>[] {
  const t = useTranslations('orders.columns')
  const names = useTranslations('order')
  const byAmount = { amount_asc: 'ascending', amount_desc: 'descending' } as const
  const byTime = { oldest: 'ascending', newest: 'descending' } as const
  const { sort } = params
  return [
    {
      key: 'order',
      title: t('order'),
      skeleton: 132,
      card: 'head',
      cell: (order) => (
        <Identifier value={order.outTradeNo} name={names('outTradeNo')} href={paths.order(order)} ahead />
      ),
    },
    {
      key: 'status',
      title: t('status'),
      skeleton: 84,
      card: 'sub',
      cell: (order) => (
        <span className={styles['status']}>
          <OrderStatusBadge status={order.status} />
          <OrderFlags late={order.late} parked={order.parked} signs />
        </span>
      ),
    },
    { key: 'plan', title: t('plan'), skeleton: 64, card: 'subEnd', cell: (order) => order.planName },
    {
      key: 'amount',
      title: t('amount'),
      align: 'end',
      skeleton: 72,
      card: 'headEnd',
      cell: (order) => <Amount order={order} />,
      sort: {
        direction: sort === 'amount_asc' || sort === 'amount_desc' ? byAmount[sort] : 'none',
        press: () => change({ sort: sort === 'amount_desc' ? 'amount_asc' : 'amount_desc' }),
      },
    },
    ...useIdentityColumns(),
    {
      key: 'createdAt',
      title: t('createdAt'),
      skeleton: 112,
      card: 'line',
      cell: (order) => <DateTime time={order.createdAt} />,
      sort: {
        direction: sort === 'oldest' || sort === 'newest' ? byTime[sort] : 'none',
        press: () => change({ sort: sort === 'newest' ? 'oldest' : 'newest' }),
      },
    },
    {
      key: 'paidAt',
      title: t('paidAt'),
      skeleton: 112,
      from: 'wide',
      card: 'none',
      cell: (order) => (order.paidAt ? <DateTime time={order.paidAt} /> : <EmptyValue />),
    },
  ]
}
