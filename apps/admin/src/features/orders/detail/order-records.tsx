import type { OrderDetail, OrderNotification, OrderRefund } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { signedDays } from '../../../format.ts'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/data-table/column.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { Link } from '../../../ui/link.tsx'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { useNotificationType } from '../../notifications/notification-words.tsx'
import { RefundStatusBadge } from '../../refunds/refund-status-badge.tsx'
import styles from './detail.module.css'
import { useWord } from './order-panels.tsx'

/** Why an order has no entry in the ledger. */
function emptyOf({ status, parked }: Pick<OrderDetail, 'status' | 'parked'>) {
  if (status === 'paid' || status === 'refunded') return parked ? 'grantsWait' : 'grantsNone'
  return status === 'closed' ? 'grantsNone' : 'grantsEmpty'
}

/** When the days ended before, and when they do now. */
const ExpiryMove = ({ expiresBefore, expiresAfter }: { expiresBefore: Date | null; expiresAfter: Date }) => (
  <span className={styles['move']}>
    {expiresBefore && <DateTime time={expiresBefore} />}→ <DateTime time={expiresAfter} />
  </span>
)

/** The ledger entries of this order: the days it gave, and those taken back. */
export function OrderGrants({ order }: { order: Pick<OrderDetail, 'grants' | 'status' | 'parked'> }) {
  const t = useTranslations('order')
  const column = columnsOf(t)
  const word = useWord()
  const columns: Column<OrderDetail['grants'][number]>[] = [
    column.text('grantSeq', ({ seq }) => `#${seq}`),
    column.text('grantKind', ({ kind }) => word('grantKinds', kind)),
    column.count('grantDays', ({ days }) => t('signedDays', signedDays(days))),
    column.time('grantEffective', ({ effectiveAt }) => effectiveAt),
    column.cell('grantExpires', (grant) => <ExpiryMove {...grant} />),
  ]
  return (
    <RecordsPanel
      title={t('grants')}
      rows={order.grants}
      rowKey={({ seq }) => String(seq)}
      empty={t(emptyOf(order))}
      columns={columns}
    />
  )
}

/** What went back of this order's money, or is on its way. */
export function OrderRefunds({ refunds }: { refunds: readonly OrderRefund[] }) {
  const t = useTranslations('order')
  const words = useTranslations('refunds')
  const column = columnsOf(words)
  const status = ({ state, ofSecondPayment }: OrderRefund) => (
    <>
      <RefundStatusBadge state={state} /> {ofSecondPayment && words('secondPayment.mark')}
    </>
  )
  const columns: Column<OrderRefund>[] = [
    column.id('outRefundNo', ({ outRefundNo }) => outRefundNo, { href: paths.refund }),
    column.cell('status', status),
    column.money('amount', ({ amountFen }) => -amountFen),
    column.time('createdAt', ({ createdAt }) => createdAt),
  ]
  return (
    <RecordsPanel
      title={t('refunds')}
      rows={refunds}
      rowKey={({ outRefundNo }) => outRefundNo}
      empty={t('refundsEmpty')}
      columns={columns}
    />
  )
}

/** Outcomes after which a notification is done with. */
const final = ['applied', 'already_paid', 'ignored']

function Outcome({ outcome }: { outcome: string }) {
  const word = useWord()
  const done = final.includes(outcome)
  return <Badge tone={done ? 'ok' : 'bad'}>{word('notificationOutcomes', outcome)}</Badge>
}

/** What the platform told us about this order, unasked. */
export function OrderNotifications({ notifications }: { notifications: readonly OrderNotification[] }) {
  const t = useTranslations('order')
  const column = columnsOf(t)
  const typeOf = useNotificationType()
  const type = ({ id, eventType }: OrderNotification) => (
    <Link href={paths.notification({ id })}>{typeOf(eventType)}</Link>
  )
  const columns: Column<OrderNotification>[] = [
    column.cell('eventType', type),
    column.cell('outcome', ({ outcome }) => <Outcome outcome={outcome} />),
    column.count('deliveries', ({ deliveries }) => deliveries),
    column.time('lastAt', ({ lastAt }) => lastAt, { exact: true }),
  ]
  return (
    <RecordsPanel
      title={t('notifications')}
      rows={notifications}
      rowKey={({ id }) => id}
      empty={t('notificationsEmpty')}
      columns={columns}
    />
  )
}
