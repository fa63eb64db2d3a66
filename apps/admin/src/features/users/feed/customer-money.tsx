import { type CustomerMoney, formatFen, type UserDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useFailure, useTRPC } from '../../../api-client/api-provider.tsx'
import { formatCount } from '../../../format.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { FailurePanel } from '../../../ui/failure-panel.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { EmptyValue } from '../../../ui/text.tsx'
import { WhyAccess } from '../../subscriptions/detail/why-access.tsx'
import styles from './feed.module.css'

const Day = ({ at }: { at: Date | null }) => (
  <dd className={styles['day']}>{at ? <DateTime time={at} /> : <EmptyValue />}</dd>
)

function Figures({ money }: { money: CustomerMoney }) {
  const t = useTranslations('feed')
  const { paidFen, refundedFen, paidOrders, firstPaidAt, lastPaidAt } = money
  return (
    <dl className={styles['money']}>
      <div className={styles['net']}>
        <dt>{t('net')}</dt>
        <dd>{formatFen(paidFen - refundedFen)}</dd>
      </div>
      <div>
        <dt>{t('paid')}</dt>
        <dd>{formatFen(paidFen)}</dd>
      </div>
      <div>
        <dt>{t('refunded')}</dt>
        <dd>{formatFen(-refundedFen)}</dd>
      </div>
      <div>
        <dt>{t('paidOrders')}</dt>
        <dd>{formatCount(paidOrders)}</dd>
      </div>
      <div>
        <dt>{t('firstPaid')}</dt>
        <Day at={firstPaidAt} />
      </div>
      <div>
        <dt>{t('lastPaid')}</dt>
        <Day at={lastPaidAt} />
      </div>
    </dl>
  )
}

/** What the customer paid, what went back, and what stayed. */
export function CustomerMoneyPanel({ id }: { id: string }) {
  const t = useTranslations('feed')
  const failureOf = useFailure()
  const query = useQuery(useTRPC().customer.money.queryOptions({ id }))
  const failure = query.data ? null : failureOf(query.error)
  return (
    <Panel title={t('money')}>
      {failure && <FailurePanel failure={failure} onRetry={() => void query.refetch()} />}
      {query.data ? <Figures money={query.data} /> : !failure && <Skeleton height={64} />}
    </Panel>
  )
}

/** Whether the customer may use the device now, and why or why not. */
export function CustomerAccess({ user }: { user: UserDetail }) {
  const { data } = useQuery(useTRPC().subscription.detail.queryOptions({ userId: user.id }))
  return data ? <WhyAccess subscription={data} /> : null
}
