import { type AlertDetail, formatFen } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { paths } from '../../../paths.ts'
import type { Column } from '../../../ui/data-table/column.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import layout from '../../../ui/layout.module.css'
import { Link } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { MismatchTable, mismatchOf } from '../../mismatch/mismatch-table.tsx'
import { OutcomeBadge } from '../../notifications/notification-words.tsx'
import { OrderFlags, OrderStatusBadge } from '../../orders/order-status-badge.tsx'
import { RefundStatusBadge } from '../../refunds/refund-status-badge.tsx'
import { useAlertKind } from '../open-alerts.tsx'

type AlertProps = { alert: AlertDetail }

/** The fields that differ, with both values; nothing for an alert about something else. */
export function Differing({ alert: { detail } }: AlertProps) {
  const t = useTranslations('mismatch')
  const rows = mismatchOf(detail)
  if (rows.length === 0) return null
  return (
    <Panel title={t('caption')}>
      <MismatchTable rows={rows} />
    </Panel>
  )
}

/** What to do, where this page alone cannot do it; nothing once it is over. */
export function Advice({ alert: { kind, resolvedAt } }: AlertProps) {
  const t = useTranslations('alerts')
  const words: Readonly<Record<string, string>> = useMessages().alerts.advice
  if (resolvedAt || !Object.hasOwn(words, kind)) return null
  return (
    <Notice tone="info" icon="book">
      <strong>{t('adviceTitle')}</strong>
      <br />
      {words[kind]}
    </Notice>
  )
}

/** The orders it is about as they stand now, the earlier payment first. */
export function AlertOrders({ alert: { orders } }: AlertProps) {
  const t = useTranslations('alerts')
  const column = columnsOf(t)
  const order = columnsOf(useTranslations('order'))
  const state = ({ status, late, parked }: (typeof orders)[number]) => (
    <span className={layout['acts']}>
      <OrderStatusBadge status={status} />
      <OrderFlags late={late} parked={parked} signs />
    </span>
  )
  const amount = ({ amountFen, refundedFen }: (typeof orders)[number]) => (
    <span className={layout['lines']}>
      {formatFen(amountFen)}
      {refundedFen > 0 && <span className={layout['note']}>{formatFen(-refundedFen)}</span>}
    </span>
  )
  const columns: Column<AlertDetail['orders'][number]>[] = [
    column.id('outTradeNo', ({ outTradeNo }) => outTradeNo, { href: paths.order }),
    column.cell('state', state),
    column.count('amount', amount),
    order.id('transactionId', ({ transactionId }) => transactionId),
    column.time('paidAt', ({ paidAt }) => paidAt, { exact: true }),
  ]
  return (
    <RecordsPanel
      title={t('orders', { count: orders.length })}
      rows={orders}
      rowKey={({ outTradeNo }) => outTradeNo}
      columns={columns}
    />
  )
}

/** The refund it is about. */
export function AlertRefundPanel({ alert: { refund } }: AlertProps) {
  const t = useTranslations('refunds')
  if (!refund) return null
  const { outRefundNo, amountFen, state, createdAt } = refund
  const facts = [
    {
      key: 'number',
      term: t('outRefundNo'),
      value: (
        <Identifier value={outRefundNo} name={t('outRefundNo')} href={paths.refund({ outRefundNo })} whole />
      ),
    },
    { key: 'amount', term: t('amount'), value: formatFen(amountFen) },
    { key: 'status', term: t('status'), value: <RefundStatusBadge state={state} /> },
    { key: 'createdAt', term: t('createdAt'), value: <DateTime time={createdAt} /> },
  ]
  return (
    <Panel title={t('facts')}>
      <DescriptionList items={facts} wide />
    </Panel>
  )
}

/** What the platform told of it, what did not fit first. */
export function AlertNotifications({ alert: { notifications } }: AlertProps) {
  const t = useTranslations('notifications')
  const column = columnsOf(t)
  const order = columnsOf(useTranslations('order'))
  const columns: Column<AlertDetail['notifications'][number]>[] = [
    column.id('id', ({ id }) => id, { href: paths.notification }),
    column.cell('outcome', ({ outcome }) => <OutcomeBadge outcome={outcome} />),
    order.id('transactionId', ({ transactionId }) => transactionId),
    column.time('lastAt', ({ lastAt }) => lastAt, { exact: true }),
  ]
  return <RecordsPanel title={t('title')} rows={notifications} rowKey={({ id }) => id} columns={columns} />
}

/** Other open alerts about the same orders. */
export function OtherAlerts({ alert: { others } }: AlertProps) {
  const t = useTranslations('alerts')
  const column = columnsOf(t)
  const kindOf = useAlertKind()
  const columns: Column<AlertDetail['others'][number]>[] = [
    column.cell('kind', ({ id, kind }) => <Link href={paths.alert({ id })}>{kindOf(kind)}</Link>),
    column.time('openedAt', ({ openedAt }) => openedAt, { relative: true }),
  ]
  return <RecordsPanel title={t('others')} rows={others} rowKey={({ id }) => id} columns={columns} />
}
