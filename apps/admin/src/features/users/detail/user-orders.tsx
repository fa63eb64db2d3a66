import { formatFen, type UserDetail } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { OrderStatusBadge } from '../../orders/order-status-badge.tsx'

export function UserOrders({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  const title = t('orders', { count: user.orderCount })
  return (
    <Panel title={title} aside={<Link href={paths.orders({ q: user.id })}>{t('allOrders')}</Link>}>
      <PlainTable
        caption={title}
        rows={user.orders}
        rowKey={({ outTradeNo }) => outTradeNo}
        empty={t('noOrders')}
        columns={[
          {
            key: 'order',
            title: t('orderNumber'),
            cell: (order) => (
              <Identifier value={order.outTradeNo} name={t('orderNumber')} href={paths.order(order)} ahead />
            ),
          },
          { key: 'plan', title: t('plan'), cell: ({ planName }) => planName },
          {
            key: 'status',
            title: t('columns.state'),
            cell: ({ status }) => <OrderStatusBadge status={status} />,
          },
          { key: 'amount', title: t('amount'), align: 'end', cell: ({ amountFen }) => formatFen(amountFen) },
          { key: 'at', title: t('orderedAt'), cell: ({ createdAt }) => <DateTime time={createdAt} /> },
        ]}
      />
    </Panel>
  )
}
