import { formatFen, type MessageAttempt, type UserDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMessages, useTranslations } from 'next-intl'
import { useFailure, useTRPC } from '../../../api-client/api-provider.tsx'
import { DirectAct } from '../../../kit/act/define-act.tsx'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { ExportButton } from '../../../kit/list/export-button.tsx'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/data-table/column.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import page from '../../../ui/detail-page.module.css'
import { FailurePanel } from '../../../ui/failure-panel.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import lines from '../../../ui/lines.module.css'
import { Lines, LinesPanel } from '../../../ui/lines.tsx'
import { Link } from '../../../ui/link.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { BindingEnd } from '../../devices/device-badges.tsx'
import { OrderStatusBadge } from '../../orders/order-status-badge.tsx'
import { useSoldName } from '../../plans/plan-name.ts'
import styles from './detail.module.css'
import { testMessage } from './user-acts.tsx'

type Ordered = UserDetail['orders'][number]

/** What was paid, and beneath it what went back. */
function Amount({ order: { amountFen, refundedFen } }: { order: Ordered }) {
  const t = useTranslations('orders')
  if (refundedFen === 0) return formatFen(amountFen)
  return (
    <span className={lines['side']}>
      {formatFen(amountFen)}
      <span className={page['zone']}>{t('refunded', { amount: formatFen(-refundedFen) })}</span>
    </span>
  )
}

export function UserOrders({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  const column = columnsOf(t)
  const soldName = useSoldName()
  const columns: Column<Ordered>[] = [
    column.id('orderNumber', ({ outTradeNo }) => outTradeNo, { href: paths.order, ahead: true }),
    column.cell('plan', ({ planName }) => soldName(planName)),
    column.cell('columns.state', ({ status }) => <OrderStatusBadge status={status} />),
    column.cell('amount', (order) => <Amount order={order} />, { align: 'end' }),
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
  return (
    <LinesPanel title={t('devices')} empty={t('noDevices')} rows={user.bindings}>
      {(binding) => (
        <li key={`${binding.serialNumber} ${binding.boundAt.getTime()}`}>
          <span className={lines['side']}>
            <Identifier
              value={binding.serialNumber}
              name={t('serialNumber')}
              href={paths.device(binding)}
              whole
            />
            <span className={page['zone']}>
              {binding.model} <DateTime time={binding.boundAt} />
            </span>
          </span>
          <BindingEnd binding={binding} />
        </li>
      )}
    </LinesPanel>
  )
}

export function UserSubscription({ user: { id, remainingDays, subscription } }: { user: UserDetail }) {
  const t = useTranslations('users')
  const { expiresAt } = subscription
  return (
    <Panel
      title={t('subscription')}
      aside={<ExportButton name="ledger" query={{ userId: id }} label={t('exportLedger')} />}
    >
      <DescriptionList
        items={[
          { key: 'days', term: t('columns.daysLeft'), value: t('days', { days: remainingDays }) },
          { key: 'until', term: t('until'), value: expiresAt && <DateTime time={expiresAt} /> },
        ]}
      />
      <p>
        <Link href={paths.subscription({ userId: id })}>{t('openSubscription')}</Link>
      </p>
    </Panel>
  )
}

/** Why nothing was sent: the platform's number, with what it means where that is known. */
function Refused({ failure }: { failure: string }) {
  const t = useTranslations('users')
  const reasons: Readonly<Record<string, string>> = useMessages().users.messageFailures
  return (
    <span className={styles['refused']}>
      <Badge tone="bad">{t('messageRefused', { code: failure })}</Badge>
      {reasons[failure] && <span className={page['zone']}>{reasons[failure]}</span>}
    </span>
  )
}

type Messages = { remaining: number; items: readonly MessageAttempt[] }

function MessageLines({ messages: { remaining, items } }: { messages: Messages }) {
  const t = useTranslations('users')
  const sent = <Badge tone="ok">{t('messageSent')}</Badge>
  return (
    <>
      <p className={styles['allowed']}>{t('messagesAllowed', { count: remaining })}</p>
      <Lines rows={items} empty={t('noMessages')}>
        {({ id, at, kind, failure }) => (
          <li key={id}>
            <span className={lines['side']}>
              {t(`messageKinds.${kind}`)}
              <span className={page['zone']}>
                <DateTime time={at} />
              </span>
            </span>
            {failure === null ? sent : <Refused failure={failure} />}
          </li>
        )}
      </Lines>
    </>
  )
}

/** What was sent to the user, and what the platform refused. */
export function UserMessages({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  const failureOf = useFailure()
  const messages = useQuery(useTRPC().message.ofUser.queryOptions({ userId: user.id }))
  const failure = messages.data ? null : failureOf(messages.error)
  return (
    <Panel
      title={t('messages')}
      {...(user.state !== 'erased' && {
        aside: <DirectAct of={testMessage} quiet input={{ userId: user.id }} />,
      })}
    >
      {failure && <FailurePanel failure={failure} onRetry={() => void messages.refetch()} />}
      {!messages.data && !failure && <Skeleton height={80} />}
      {messages.data && <MessageLines messages={messages.data} />}
    </Panel>
  )
}
