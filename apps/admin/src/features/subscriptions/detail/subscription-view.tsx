'use client'

import type { FeatureClock, SubscriptionDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { DialogAct, defineDialogAct } from '../../../kit/act/define-act.tsx'
import { Loaded } from '../../../kit/page/loaded.tsx'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { DetailHead } from '../../../ui/detail-head.tsx'
import page from '../../../ui/detail-page.module.css'
import layout from '../../../ui/layout.module.css'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { OpenAlerts } from '../../alerts/open-alerts.tsx'
import { RequestTable } from '../request-table.tsx'
import { SubscriptionBadge } from '../subscription-badge.tsx'
import { useFeatureName } from '../use-feature-name.ts'
import styles from './detail.module.css'
import { LedgerTable } from './ledger-table.tsx'
import { WhyAccess } from './why-access.tsx'

const DaysDialog = dynamic(() => import('./days-dialog.tsx').then((module) => module.DaysDialog), {
  ssr: false,
})

const changeDays = defineDialogAct(() => useTranslations('subscriptions'), {
  icon: 'clock',
  permission: 'subscription.grant',
  words: (t) => ({
    label: t('change'),
    hint: t('changeHint'),
    forbidden: (who) => t('changeForbidden', who),
  }),
  dialog: ({ userId }: { userId: string }, close) => <DaysDialog userId={userId} onClose={close} />,
})

function SubscriptionHead({ subscription }: { subscription: SubscriptionDetail }) {
  const t = useTranslations('subscriptions')
  const { userId, isActive, remainingDays, expiresAt } = subscription
  return (
    <DetailHead
      back={{ href: paths.subscriptions(), label: t('back') }}
      title={
        <span className={page['title']}>
          {t('remaining', { days: remainingDays })}
          <Link href={paths.user({ id: userId })} className={page['number']}>
            {userId}
          </Link>
        </span>
      }
      id={{ value: userId, name: t('userId') }}
      state={
        <>
          <SubscriptionBadge isActive={isActive} remainingDays={remainingDays} expiresAt={expiresAt} />
          {expiresAt && <DateTime time={expiresAt} relative />}
        </>
      }
      actions={<DialogAct of={changeDays} userId={userId} />}
    />
  )
}

/** Each feature has a clock of its own. */
function FeatureClocks({ clocks }: { clocks: readonly FeatureClock[] }) {
  const t = useTranslations('subscriptions')
  const nameOf = useFeatureName()
  return (
    <Panel title={t('clocks')}>
      {clocks.length === 0 && <p className={layout['note']}>{t('noClocks')}</p>}
      <ul className={styles['clocks']}>
        {clocks.map(({ feature, expiresAt, isUsable }) => (
          <li key={feature}>
            <span>{nameOf(feature)}</span>
            <Badge tone={isUsable ? 'ok' : 'quiet'}>{t(isUsable ? 'usable' : 'unusable')}</Badge>
            <span className={styles['until']}>
              {expiresAt ? <DateTime time={expiresAt} relative /> : t('freeForAll')}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** One user's subscription: its state, why it is so, and the ledger that made it. */
export function SubscriptionView({ userId }: { userId: string }) {
  const t = useTranslations('subscriptions')
  const query = useQuery(useTRPC().subscription.detail.queryOptions({ userId }))
  return (
    <Loaded query={query} skeleton={<ListSkeleton title={t('title')} />}>
      {(subscription) => (
        <>
          <SubscriptionHead subscription={subscription} />
          <OpenAlerts about={{ userId }} />
          <div className={page['columns']}>
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
      )}
    </Loaded>
  )
}
