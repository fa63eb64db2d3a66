import { formatFen, type OrderDetail, type OrderNotification, type OrderRefund } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { signedDays } from '../../../format.ts'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { useNotificationType } from '../../notifications/use-notification-type.ts'
import { RefundStatusBadge } from '../../refunds/refund-status-badge.tsx'
import styles from './detail.module.css'
import { useWord } from './use-word.ts'

/** Why an order has no entry in the ledger. */
function emptyOf({ status, parked }: Pick<OrderDetail, 'status' | 'parked'>) {
  if (status === 'paid' || status === 'refunded') return parked ? 'grantsWait' : 'grantsNone'
  return status === 'closed' ? 'grantsNone' : 'grantsEmpty'
}

/** The ledger entries of this order: the days it gave, and those taken back. */
export function OrderGrants({ order }: { order: Pick<OrderDetail, 'grants' | 'status' | 'parked'> }) {
  const t = useTranslations('order')
  const { grants } = order
  const word = useWord()
  return (
    <Panel title={t('grants')}>
      <PlainTable
        caption={t('grants')}
        rows={grants}
        rowKey={(grant) => String(grant.seq)}
        empty={t(emptyOf(order))}
        columns={[
          { key: 'seq', title: t('grantSeq'), cell: (grant) => `#${grant.seq}` },
          { key: 'kind', title: t('grantKind'), cell: (grant) => word('grantKinds', grant.kind) },
          {
            key: 'days',
            title: t('grantDays'),
            align: 'end',
            cell: (grant) => t('signedDays', signedDays(grant.days)),
          },
          {
            key: 'effective',
            title: t('grantEffective'),
            cell: (grant) => <DateTime time={grant.effectiveAt} />,
          },
          {
            key: 'expires',
            title: t('grantExpires'),
            cell: (grant) => (
              <span className={styles['move']}>
                {grant.expiresBefore && <DateTime time={grant.expiresBefore} />}→{' '}
                <DateTime time={grant.expiresAfter} />
              </span>
            ),
          },
        ]}
      />
    </Panel>
  )
}

/** What went back of this order's money, or is on its way. */
export function OrderRefunds({ refunds }: { refunds: readonly OrderRefund[] }) {
  const t = useTranslations('order')
  const words = useTranslations('refunds')
  return (
    <Panel title={t('refunds')}>
      <PlainTable
        caption={t('refunds')}
        rows={refunds}
        rowKey={({ outRefundNo }) => outRefundNo}
        empty={t('refundsEmpty')}
        columns={[
          {
            key: 'number',
            title: words('outRefundNo'),
            cell: (refund) => (
              <Identifier
                value={refund.outRefundNo}
                name={words('outRefundNo')}
                href={paths.refund(refund)}
              />
            ),
          },
          {
            key: 'status',
            title: words('status'),
            cell: ({ state, ofSecondPayment }) => (
              <>
                <RefundStatusBadge state={state} /> {ofSecondPayment && words('secondPayment.mark')}
              </>
            ),
          },
          {
            key: 'amount',
            title: words('amount'),
            align: 'end',
            cell: ({ amountFen }) => formatFen(-amountFen),
          },
          { key: 'at', title: words('createdAt'), cell: ({ createdAt }) => <DateTime time={createdAt} /> },
        ]}
      />
    </Panel>
  )
}

/** Outcomes after which a notification is done with. */
const final = ['applied', 'already_paid', 'ignored']

function Outcome({ outcome }: { outcome: string }) {
  const word = useWord()
  const done = final.includes(outcome)
  return (
    <Badge tone={done ? 'ok' : 'bad'} icon={done ? 'checkCircle' : 'alert'}>
      {word('notificationOutcomes', outcome)}
    </Badge>
  )
}

/** What the platform told us about this order, unasked. */
export function OrderNotifications({ notifications }: { notifications: readonly OrderNotification[] }) {
  const t = useTranslations('order')
  const typeOf = useNotificationType()
  return (
    <Panel title={t('notifications')}>
      <PlainTable
        caption={t('notifications')}
        rows={notifications}
        rowKey={(notification) => notification.id}
        empty={t('notificationsEmpty')}
        columns={[
          {
            key: 'type',
            title: t('eventType'),
            cell: ({ id, eventType }) => <Link href={paths.notification({ id })}>{typeOf(eventType)}</Link>,
          },
          { key: 'outcome', title: t('outcome'), cell: ({ outcome }) => <Outcome outcome={outcome} /> },
          { key: 'deliveries', title: t('deliveries'), align: 'end', cell: ({ deliveries }) => deliveries },
          { key: 'lastAt', title: t('lastAt'), cell: ({ lastAt }) => <DateTime time={lastAt} exact /> },
        ]}
      />
    </Panel>
  )
}
