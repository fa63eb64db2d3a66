import { type AlertDetail, formatFen } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { EmptyValue } from '../../../ui/empty-value.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { MismatchTable, mismatchOf } from '../../mismatch/mismatch-table.tsx'
import { OutcomeBadge } from '../../notifications/outcome-badge.tsx'
import { OrderFlags, OrderStatusBadge } from '../../orders/order-status-badge.tsx'
import { RefundStatusBadge } from '../../refunds/refund-status-badge.tsx'
import styles from '../alerts.module.css'
import { useAlertKind } from '../use-alert-kind.ts'

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

/** The orders it is about as they stand now, the earlier payment first. */
export function AlertOrders({ alert: { orders } }: AlertProps) {
  const t = useTranslations('alerts')
  const order = useTranslations('order')
  if (orders.length === 0) return null
  return (
    <Panel title={t('orders', { count: orders.length })}>
      <PlainTable
        caption={t('orders', { count: orders.length })}
        rows={orders}
        rowKey={({ outTradeNo }) => outTradeNo}
        empty=""
        columns={[
          {
            key: 'number',
            title: t('outTradeNo'),
            cell: (row) => (
              <Identifier value={row.outTradeNo} name={t('outTradeNo')} href={paths.order(row)} />
            ),
          },
          {
            key: 'status',
            title: t('state'),
            cell: ({ status, late, parked }) => (
              <span className={styles['acts']}>
                <OrderStatusBadge status={status} />
                <OrderFlags late={late} parked={parked} />
              </span>
            ),
          },
          {
            key: 'amount',
            title: t('amount'),
            align: 'end',
            cell: ({ amountFen, refundedFen }) => (
              <span className={styles['stack']}>
                {formatFen(amountFen)}
                {refundedFen > 0 && <span className={styles['faint']}>{formatFen(-refundedFen)}</span>}
              </span>
            ),
          },
          {
            key: 'transaction',
            title: order('transactionId'),
            cell: ({ transactionId }) =>
              transactionId ? (
                <Identifier value={transactionId} name={order('transactionId')} />
              ) : (
                <EmptyValue />
              ),
          },
          {
            key: 'paidAt',
            title: t('paidAt'),
            cell: ({ paidAt }) => (paidAt ? <DateTime time={paidAt} exact /> : <EmptyValue />),
          },
        ]}
      />
    </Panel>
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
  const order = useTranslations('order')
  if (notifications.length === 0) return null
  return (
    <Panel title={t('title')}>
      <PlainTable
        caption={t('title')}
        rows={notifications}
        rowKey={({ id }) => id}
        empty=""
        columns={[
          {
            key: 'id',
            title: t('id'),
            cell: ({ id }) => <Identifier value={id} name={t('id')} href={paths.notification({ id })} />,
          },
          { key: 'outcome', title: t('outcome'), cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
          {
            key: 'transaction',
            title: order('transactionId'),
            cell: ({ transactionId }) =>
              transactionId ? (
                <Identifier value={transactionId} name={order('transactionId')} />
              ) : (
                <EmptyValue />
              ),
          },
          { key: 'lastAt', title: t('lastAt'), cell: ({ lastAt }) => <DateTime time={lastAt} exact /> },
        ]}
      />
    </Panel>
  )
}

/** Other open alerts about the same orders. */
export function OtherAlerts({ alert: { others } }: AlertProps) {
  const t = useTranslations('alerts')
  const kindOf = useAlertKind()
  if (others.length === 0) return null
  return (
    <Panel title={t('others')}>
      <PlainTable
        caption={t('others')}
        rows={others}
        rowKey={({ id }) => id}
        empty=""
        columns={[
          {
            key: 'kind',
            title: t('kind'),
            cell: ({ id, kind }) => <Link href={paths.alert({ id })}>{kindOf(kind)}</Link>,
          },
          {
            key: 'openedAt',
            title: t('openedAt'),
            cell: ({ openedAt }) => <DateTime time={openedAt} relative />,
          },
        ]}
      />
    </Panel>
  )
}
