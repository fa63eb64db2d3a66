'use client'

import type { AlertDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { DialogAct, DirectAct } from '../../../kit/act/define-act.tsx'
import { Loaded } from '../../../kit/page/loaded.tsx'
import { paths } from '../../../paths.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import layout from '../../../ui/layout.module.css'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { resolveAlert, takeAlert } from '../alert-acts.tsx'
import { useAlertKind, useResolution } from '../alert-words.ts'
import styles from '../alerts.module.css'
import { AlertNotifications, AlertOrders, AlertRefundPanel, Differing, OtherAlerts } from './alert-parts.tsx'
import { placeOf } from './alert-place.ts'
import { useDetailFacts } from './detail-facts.tsx'
import { actOf } from './kind-act.tsx'

type AlertProps = { alert: AlertDetail }

function State({ alert: { severity, resolvedAt } }: AlertProps) {
  const t = useTranslations('alerts')
  if (resolvedAt) return <Badge tone="ok">{t('resolved')}</Badge>
  return (
    <Badge tone={severity === 'critical' ? 'bad' : 'wait'} icon="alert">
      {t(`severities.${severity}`)}
    </Badge>
  )
}

/** The act that its kind asks for, then taking it and resolving it with a note; none once it is over. */
function Acts({ alert }: AlertProps) {
  const t = useTranslations('alerts')
  const kindOf = useAlertKind()
  if (alert.resolvedAt) return null
  const Act = actOf(alert)
  const place = placeOf(alert)
  return (
    <span className={layout['acts']}>
      {Act && <Act alert={alert} />}
      {place && (
        <Link className={styles['place']} href={place.href}>
          {t(`places.${place.place}`)}
        </Link>
      )}
      {alert.ownerEmail === null && <DirectAct of={takeAlert} quiet input={{ id: alert.id }} />}
      <DialogAct of={resolveAlert} id={alert.id} kind={kindOf(alert.kind)} quiet={Act !== null} />
    </span>
  )
}

function AlertFacts({ alert }: AlertProps) {
  const t = useTranslations('alerts')
  const { subject, outTradeNo, outRefundNo, openedAt, lastAt, times, ownerEmail, detail } = alert
  const kept = useDetailFacts(detail)
  const about = outTradeNo || outRefundNo ? [] : [{ key: 'subject', term: t('subject'), value: subject }]
  const facts = [
    ...about,
    { key: 'openedAt', term: t('openedAt'), value: <DateTime time={openedAt} exact relative /> },
    { key: 'lastAt', term: t('lastAt'), value: <DateTime time={lastAt} exact /> },
    { key: 'times', term: t('timesTerm'), value: t('times', { times }) },
    { key: 'owner', term: t('owner'), value: ownerEmail ?? t('nobody') },
    ...kept,
  ]
  return (
    <Panel title={t('factsTitle')}>
      <DescriptionList items={facts} wide />
    </Panel>
  )
}

function Ended({ alert: { resolution, resolvedByEmail, resolvedAt } }: AlertProps) {
  const resolutionOf = useResolution()
  if (!resolvedAt) return null
  return (
    <Notice tone="info" icon="checkCircle">
      {[resolutionOf(resolution), resolvedByEmail].filter(Boolean).join(' · ')}{' '}
      <DateTime time={resolvedAt} exact />
    </Notice>
  )
}

/** One alert: what is behind it, and what it asks for. */
export function AlertView({ id }: { id: string }) {
  const t = useTranslations('alerts')
  const kindOf = useAlertKind()
  const query = useQuery(useTRPC().alert.detail.queryOptions({ id }))
  return (
    <Loaded query={query}>
      {(alert) => (
        <>
          <PageHeader
            before={<BackLink href={paths.alerts({ view: 'alerts' })}>{t('back')}</BackLink>}
            title={kindOf(alert.kind)}
            aside={<State alert={alert} />}
            actions={<Acts alert={alert} />}
          />
          <div className={layout['rows']}>
            <Ended alert={alert} />
            <Differing alert={alert} />
            <AlertOrders alert={alert} />
            <AlertRefundPanel alert={alert} />
            <AlertFacts alert={alert} />
            <AlertNotifications alert={alert} />
            <OtherAlerts alert={alert} />
          </div>
        </>
      )}
    </Loaded>
  )
}
