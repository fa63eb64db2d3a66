import { formatFen, type UserDetail } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { BindingEnd } from '../../devices/binding-end.tsx'
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

/** What the user has bound, and had before. */
export function UserDevices({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  return (
    <Panel title={t('devices')}>
      <PlainTable
        caption={t('devices')}
        rows={user.bindings}
        rowKey={({ serialNumber, boundAt }) => `${serialNumber} ${boundAt.getTime()}`}
        empty={t('noDevices')}
        columns={[
          {
            key: 'serial',
            title: t('serialNumber'),
            cell: (binding) => (
              <Identifier
                value={binding.serialNumber}
                name={t('serialNumber')}
                href={paths.device(binding)}
                whole
              />
            ),
          },
          { key: 'model', title: t('model'), cell: ({ model }) => model },
          { key: 'boundAt', title: t('boundAt'), cell: ({ boundAt }) => <DateTime time={boundAt} /> },
          { key: 'end', title: t('columns.state'), cell: (binding) => <BindingEnd binding={binding} /> },
        ]}
      />
    </Panel>
  )
}

export function UserSubscription({ user: { id, remainingDays, subscription } }: { user: UserDetail }) {
  const t = useTranslations('users')
  const { expiresAt } = subscription
  return (
    <Panel
      title={t('subscription')}
      aside={<Link href={paths.subscription({ userId: id })}>{t('openSubscription')}</Link>}
    >
      <DescriptionList
        items={[
          { key: 'days', term: t('columns.daysLeft'), value: t('days', { days: remainingDays }) },
          { key: 'until', term: t('until'), value: expiresAt && <DateTime time={expiresAt} /> },
        ]}
      />
    </Panel>
  )
}
