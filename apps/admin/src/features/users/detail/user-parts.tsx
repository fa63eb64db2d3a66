import type { UserDetail } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { paths } from '../../../paths.ts'
import type { Column } from '../../../ui/data-table/column.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { BindingEnd } from '../../devices/binding-end.tsx'
import { OrderStatusBadge } from '../../orders/order-status-badge.tsx'

export function UserOrders({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  const column = columnsOf(t)
  const columns: Column<UserDetail['orders'][number]>[] = [
    column.id('orderNumber', ({ outTradeNo }) => outTradeNo, { href: paths.order, ahead: true }),
    column.cell('plan', ({ planName }) => planName),
    column.cell('columns.state', ({ status }) => <OrderStatusBadge status={status} />),
    column.money('amount', ({ amountFen }) => amountFen),
    column.time('orderedAt', ({ createdAt }) => createdAt),
  ]
  return (
    <RecordsPanel
      title={t('orders', { count: user.orderCount })}
      aside={<Link href={paths.orders({ q: user.id })}>{t('allOrders')}</Link>}
      rows={user.orders}
      rowKey={({ outTradeNo }) => outTradeNo}
      empty={t('noOrders')}
      columns={columns}
    />
  )
}

/** What the user has bound, and had before. */
export function UserDevices({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  const column = columnsOf(t)
  const columns: Column<UserDetail['bindings'][number]>[] = [
    column.id('serialNumber', ({ serialNumber }) => serialNumber, { href: paths.device, whole: true }),
    column.cell('model', ({ model }) => model),
    column.time('boundAt', ({ boundAt }) => boundAt),
    column.cell('columns.state', (binding) => <BindingEnd binding={binding} />),
  ]
  return (
    <RecordsPanel
      title={t('devices')}
      rows={user.bindings}
      rowKey={({ serialNumber, boundAt }) => `${serialNumber} ${boundAt.getTime()}`}
      empty={t('noDevices')}
      columns={columns}
    />
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
