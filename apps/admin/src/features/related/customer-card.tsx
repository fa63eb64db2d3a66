'use client'

import type { UserCard, UserCardOf } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { OrderStatusBadge } from '../orders/order-status-badge.tsx'
import { CustomerName } from './customer-name.tsx'
import styles from './related.module.css'
import { RelatedMoney } from './related-money.tsx'

type User = UserCard['user']

/** The one badge of a person: an account that is closed to them, else whether they may use anything now. */
function AccessBadge({ user: { state, remainingDays } }: { user: User }) {
  const t = useTranslations('related')
  if (state !== 'active')
    return <Badge tone={state === 'disabled' ? 'bad' : 'quiet'}>{t(`states.${state}`)}</Badge>
  const isActive = remainingDays > 0
  return <Badge tone={isActive ? 'ok' : 'quiet'}>{t(isActive ? 'active' : 'inactive')}</Badge>
}

/** Who a thing belongs to: name, access, days left. */
function Customer({ user }: { user: User }) {
  const t = useTranslations('related')
  const { id, nickname, remainingDays, expiresAt, devices } = user
  return (
    <Panel title={t('customer')} aside={<AccessBadge user={user} />}>
      <CustomerName id={id} nickname={nickname} />
      <dl className={styles['facts']}>
        <div>
          <dt>{t('daysLeft')}</dt>
          <dd>{t('days', { days: remainingDays })}</dd>
        </div>
        <div>
          <dt>{t('until')}</dt>
          <dd>{expiresAt ? <DateTime time={expiresAt} /> : '—'}</dd>
        </div>
        <div>
          <dt>{t('devices')}</dt>
          <dd>{devices}</dd>
        </div>
      </dl>
      <p className={styles['onward']}>
        <Link href={paths.subscription({ userId: id })}>{t('openSubscription')}</Link>
        <Link href={paths.orders({ q: id })}>{t('openOrders')}</Link>
      </p>
    </Panel>
  )
}

/** The name alone, where the rest stands beside it already. */
export function NameOfCustomer({ userId }: { userId: string }) {
  const { data } = useQuery(useTRPC().user.card.queryOptions({ userId }))
  if (data) return <CustomerName id={userId} nickname={data.user.nickname} />
  return (
    <div className={styles['who']}>
      <Skeleton width={80} />
    </div>
  )
}

/** The order that a thing is about. */
function RelatedOrder({ order }: { order: NonNullable<UserCard['order']> }) {
  const t = useTranslations('related')
  const { outTradeNo, amountFen, planName, status, createdAt } = order
  return (
    <RelatedMoney
      title={t('order')}
      badge={<OrderStatusBadge status={status} />}
      href={paths.order({ outTradeNo })}
      amountFen={amountFen}
      planName={planName}
      number={outTradeNo}
      numberName={t('outTradeNo')}
      createdAt={createdAt}
    />
  )
}

/** The person, and the order where one is named, beside what belongs to them; nothing of an order that is not ours. */
export function RelatedCards({ of }: { of: UserCardOf }) {
  const t = useTranslations('related')
  const card = useQuery(useTRPC().user.card.queryOptions(of))
  if (card.data)
    return (
      <>
        <Customer user={card.data.user} />
        {card.data.order && <RelatedOrder order={card.data.order} />}
      </>
    )
  if (card.isError) return null
  return (
    <Panel title={t('customer')}>
      <Skeleton height={120} />
    </Panel>
  )
}
