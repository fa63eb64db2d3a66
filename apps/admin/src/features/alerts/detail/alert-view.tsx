'use client'

import { type AlertDetail, formatFen } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useMessages, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { formatCount, isId } from '../../../format.ts'
import { DialogAct, DirectAct } from '../../../kit/act/define-act.tsx'
import { Loaded } from '../../../kit/page/page-content.tsx'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx'
import { BackLink, DetailColumns } from '../../../ui/detail-page.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import layout from '../../../ui/layout.module.css'
import { Link } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { RelatedCards } from '../../related/customer-card.tsx'
import { resolveAlert, takeAlert } from '../alert-acts.tsx'
import styles from '../alerts.module.css'
import { useAlertKind, useResolution } from '../open-alerts.tsx'
import { subjectKindOf } from '../subject-of-alert.ts'
import {
  Advice,
  AlertNotifications,
  AlertOrders,
  AlertRefundPanel,
  Differing,
  OtherAlerts,
} from './alert-parts.tsx'
import { actOf, placeOf, SyncAct } from './next-step.tsx'

const NotesPanel = dynamic(() => import('../../notes/notes-panel.tsx').then((module) => module.NotesPanel))
const AlertDifferences = dynamic(
  () => import('./alert-differences.tsx').then((module) => module.AlertDifferences),
  { ssr: false },
)

/** Told elsewhere on the page: as orders, a refund, a notification, a table of what differs, a badge. */
const shownElsewhere: readonly string[] = [
  'order',
  'orders',
  'out_trade_no',
  'notification',
  'fields',
  'differs',
  'severity',
]

const numbers: readonly string[] = [
  'transaction_id',
  'attempt_no',
  'wx_order_id',
  'complaint_id',
  'out_refund_no',
  'newest_job_id',
]

const isTime = (key: string) => key.endsWith('_at') || key === 'since' || key.endsWith('due')

type Lists = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The words for a value that is a code, by the member it stands in. */
function useCodes(): Lists {
  const { alerts, order, notifications, refunds } = useMessages()
  const reasons = { ...notifications.reasons, ...order.parkReasons }
  return {
    reason: reasons,
    invariant: order.parkReasons,
    ours: refunds.statuses,
    theirs: refunds.statuses,
    sum: alerts.codes,
    change: alerts.codes,
    because: alerts.codes,
    type: alerts.codes,
    sheet_error: order.sheetErrors,
  }
}

const Price = ({ priceFen, durationDays }: { priceFen: number; durationDays: number }) => {
  const t = useTranslations('alerts')
  return <>{t('priceOf', { amount: formatFen(priceFen), days: durationDays })}</>
}

function isPrice(value: object): value is { priceFen: number; durationDays: number } {
  return 'priceFen' in value && typeof value.priceFen === 'number' && 'durationDays' in value
}

/** A value for people: an amount, a moment, a number, the word for a code, or as it is. */
function useValue(): (key: string, value: unknown) => ReactNode {
  const t = useTranslations('alerts')
  const codes = useCodes()
  return (key, value) => {
    if (value === null || value === undefined) return null
    if (key === 'skewMs' && typeof value === 'number')
      return t('seconds', { seconds: Math.round(value / 1000) })
    if (typeof value === 'number') return key.endsWith('_fen') ? formatFen(value) : formatCount(value)
    if (typeof value === 'string') {
      if (isTime(key) && !Number.isNaN(Date.parse(value))) return <DateTime time={new Date(value)} exact />
      if (numbers.includes(key)) return <Identifier value={value} name={key} whole />
      return codes[key]?.[value] ?? value
    }
    if (Array.isArray(value)) return value.map(String).join(' · ')
    if (typeof value === 'object' && isPrice(value)) return <Price {...value} />
    return <code>{JSON.stringify(value)}</code>
  }
}

/** What the alert kept when it opened, in words. A member that is newer than this console is named as it is. */
function useDetailFacts(detail: Record<string, unknown>): Fact[] {
  const terms: Readonly<Record<string, string>> = useMessages().alerts.facts
  const toValue = useValue()
  return Object.entries(detail)
    .filter(([key]) => !shownElsewhere.includes(key))
    .map(([key, value]) => ({ key, term: terms[key] ?? key, value: toValue(key, value) }))
}

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
      <SyncAct alert={alert} />
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
  const { subject, openedAt, lastAt, times, ownerEmail, detail } = alert
  const kept = useDetailFacts(detail)
  const named = <Identifier value={subject} name={t('subject')} />
  const about =
    subjectKindOf(alert) === 'other'
      ? [{ key: 'subject', term: t('subject'), value: isId(subject) ? named : subject }]
      : []
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

/** Whom it concerns, the refund it is about, what else is open about the same, and what colleagues noted. */
function Belongs({ alert }: AlertProps) {
  const outTradeNo = alert.outTradeNo ?? alert.orders[0]?.outTradeNo
  return (
    <>
      {outTradeNo && <RelatedCards of={{ outTradeNo }} />}
      <AlertRefundPanel alert={alert} />
      <OtherAlerts alert={alert} />
      <NotesPanel subject={{ kind: 'alert', id: alert.id }} />
    </>
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
          <DetailColumns aside={<Belongs alert={alert} />}>
            <Ended alert={alert} />
            <Advice alert={alert} />
            <Differing alert={alert} />
            {alert.kind === 'bill_differences' && !alert.resolvedAt && <AlertDifferences alert={alert} />}
            <AlertOrders alert={alert} />
            <AlertFacts alert={alert} />
            <AlertNotifications alert={alert} />
          </DetailColumns>
        </>
      )}
    </Loaded>
  )
}
