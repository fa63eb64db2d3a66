'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { FailurePanel } from '../../../ui/failure-panel.tsx'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { OpenAlerts } from '../../alerts/open-alerts.tsx'
import { RequestTable } from '../request-table.tsx'
import styles from './detail.module.css'
import { FeatureClocks } from './feature-clocks.tsx'
import { LedgerTable } from './ledger-table.tsx'
import { SubscriptionHead } from './subscription-head.tsx'
import { WhyAccess } from './why-access.tsx'

/** One user's subscription: its state, why it is so, and the ledger that made it. */
export function SubscriptionView({ userId }: { userId: string }) {
  const t = useTranslations('subscriptions')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const query = useQuery(trpc.subscription.detail.queryOptions({ userId }))
  const failure = failureOf(query.error)
  if (!query.data && failure)
    return (
      <Panel>
        <FailurePanel failure={failure} onRetry={() => void query.refetch()} />
      </Panel>
    )
  if (!query.data) return <ListSkeleton title={t('title')} />
  const subscription = query.data
  return (
    <>
      <SubscriptionHead subscription={subscription} />
      <OpenAlerts about={{ userId }} />
      <div className={styles['columns']}>
        <WhyAccess subscription={subscription} />
        <FeatureClocks clocks={subscription.clocks} />
      </div>
      <div className={styles['rows']}>
        <LedgerTable ledger={subscription.ledger} />
        {subscription.requests.length > 0 && (
          <Panel title={t('requests')}>
            <RequestTable caption={t('requests')} requests={subscription.requests} />
          </Panel>
        )}
      </div>
    </>
  )
}
