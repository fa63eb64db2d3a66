'use client'

import type { FeatureClock, LedgerEntry, SubscriptionDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { signedDays } from '../../../format.ts'
import { DialogAct, defineDialogAct } from '../../../kit/act/define-act.tsx'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { ExportButton } from '../../../kit/list/export-button.tsx'
import { Loaded } from '../../../kit/page/page-content.tsx'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/data-table/column.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import page from '../../../ui/detail-page.module.css'
import { DetailColumns, DetailHead } from '../../../ui/detail-page.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import layout from '../../../ui/layout.module.css'
import { Panel } from '../../../ui/panel.tsx'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { OpenAlerts } from '../../alerts/open-alerts.tsx'
import { useSoldName } from '../../plans/plan-name.ts'
import { RelatedCards } from '../../related/customer-card.tsx'
import { RequestTable } from '../request-table.tsx'
import { SubscriptionBadge, useFeatureName } from '../subscription-words.tsx'
import styles from './detail.module.css'
import { WhyAccess } from './why-access.tsx'

/** What an entry comes from: an order, a refund, a device or a person with a reason. */
function Source({ entry }: { entry: LedgerEntry }) {
  const t = useTranslations('subscriptions')
  const { outTradeNo, outRefundNo, serialNumber, reason, operatorEmail, apiKeyName, planName } = entry
  return (
    <span className={layout['lines']}>
      {useSoldName()(planName)}
      {outTradeNo && (
        <Identifier value={outTradeNo} name={t('outTradeNo')} href={paths.order({ outTradeNo })} />
      )}
      {outRefundNo && <Identifier value={outRefundNo} name={t('outRefundNo')} />}
      {serialNumber && <Identifier value={serialNumber} name={t('serialNumber')} />}
      {reason && <span>{reason}</span>}
      {operatorEmail && <span className={layout['note']}>{operatorEmail}</span>}
      {apiKeyName && <span className={layout['note']}>{t('givenBy', { name: apiKeyName })}</span>}
    </span>
  )
}

/** Every change of the days, in the order they were written; nothing else ever changed them. */
function LedgerTable({ userId, ledger }: Pick<SubscriptionDetail, 'userId' | 'ledger'>) {
  const t = useTranslations('subscriptions')
  const column = columnsOf(t)
  const zone = useTranslations('shell')('zone')
  const nameOf = useFeatureName()
  const expires = ({ expiresBefore, expiresAfter }: LedgerEntry) => (
    <span className={styles['move']}>
      {expiresBefore && <DateTime time={expiresBefore} />}→ <DateTime time={expiresAfter} />
    </span>
  )
  const columns: Column<LedgerEntry>[] = [
    column.text('ledger.seq', ({ seq }) => `#${seq}`),
    column.text('ledger.kind', ({ kind }) => t(`kinds.${kind}`)),
    column.cell('ledger.source', (entry) => <Source entry={entry} />),
    column.count('ledger.days', ({ days }) => t('signedDays', signedDays(days))),
    column.text(
      'ledger.unused',
      ({ days, unusedDays }) => (days > 0 ? t('days', { days: unusedDays }) : null),
      { align: 'end' },
    ),
    column.text('columns.features', ({ features }) => features.map(nameOf).join(' · ') || null),
    column.time('ledger.effective', ({ effectiveAt }) => effectiveAt),
    column.cell('ledger.expires', expires),
  ]
  return (
    <RecordsPanel
      title={t('ledger.title')}
      aside={
        <span className={page['aside']}>
          <span className={layout['note']}>{zone}</span>
          <ExportButton name="ledger" query={{ userId }} label={t('ledger.export')} />
        </span>
      }
      rows={ledger.toReversed()}
      rowKey={({ seq }) => String(seq)}
      empty={t('ledger.empty')}
      columns={columns}
    />
  )
}

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
      title={t('remaining', { days: remainingDays })}
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
          <DetailColumns
            aside={<RelatedCards key={subscription.ledger.length} of={{ userId: subscription.userId }} />}
          >
            <WhyAccess subscription={subscription} />
            <FeatureClocks clocks={subscription.clocks} />
          </DetailColumns>
          <div className={styles['rows']}>
            <LedgerTable userId={userId} ledger={subscription.ledger} />
            {subscription.requests.length > 0 && (
              <Panel
                title={t('requests')}
                aside={<ExportButton name="grants" query={{ userId }} label={t('exportRequests')} />}
              >
                <RequestTable caption={t('requests')} requests={subscription.requests} />
              </Panel>
            )}
          </div>
        </>
      )}
    </Loaded>
  )
}
