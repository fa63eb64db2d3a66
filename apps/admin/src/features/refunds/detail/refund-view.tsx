'use client'

import { formatFen, isRefundUnderWay, type RefundDetail, refundOriginOf } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMessages, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { formatTime } from '../../../format.ts'
import { Loaded } from '../../../kit/page/page-content.tsx'
import { paths } from '../../../paths.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx'
import { DetailColumns, DetailHead } from '../../../ui/detail-page.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { StaleNotice } from '../../../ui/stale-notice.tsx'
import { Raw } from '../../../ui/text.tsx'
import { OpenAlerts } from '../../alerts/open-alerts.tsx'
import { NotesPanel } from '../../notes/notes-panel.tsx'
import { PinButton } from '../../palette/pin-button.tsx'
import { useSoldName } from '../../plans/plan-name.ts'
import { RelatedCards } from '../../related/customer-card.tsx'
import { RefundStatusBadge } from '../refund-status-badge.tsx'
import { useRequester } from '../use-requester.ts'
import { RefundActs } from './refund-acts.tsx'
import { WaitingStop } from './stop-refund.tsx'

/** Why the payment platform did not accept a refund, in words; its code stands beside them, marked as raw. */
function useFailureWords(): (code: string) => string {
  const { refunds } = useMessages()
  const words: Readonly<Record<string, string>> = refunds.failures
  return (code) => words[code] ?? refunds.failures.other
}

const WATCH_MS = 3_000

/** The days that went back, or would if the money arrived now; nothing where none will. */
function useDays({ keepDays, daysDue, daysTaken, status }: RefundDetail): string | null {
  const t = useTranslations('refunds')
  if (keepDays) return t('daysKept')
  if (daysDue !== null) return t('daysDue', { days: daysDue })
  return status === 'succeeded' ? t('days', { days: daysTaken }) : null
}

const moment = (time: Date | null) => time && <DateTime time={time} exact />

function useContradiction({ contradiction }: RefundDetail): Fact[] {
  const t = useTranslations('refunds')
  if (!contradiction) return []
  const { saidStatus, saidAt, decidedAt } = contradiction
  const said = t('contradiction.saidAt', { status: t(`statuses.${saidStatus}`), time: formatTime(saidAt) })
  return [
    { key: 'said', term: t('contradiction.said'), value: said },
    { key: 'saidDecidedAt', term: t('contradiction.decidedAt'), value: moment(decidedAt) },
  ]
}

function useStop({ stop }: RefundDetail): Fact[] {
  const t = useTranslations('refunds')
  if (!stop) return []
  return [
    { key: 'stopReason', term: t('stop.reason'), value: stop.reason },
    { key: 'stopRequestedBy', term: t('stop.requestedBy'), value: stop.requestedByEmail },
    { key: 'stopConfirmedBy', term: t('stop.confirmedBy'), value: stop.confirmedByEmail },
    { key: 'stoppedAt', term: t('stop.stoppedAt'), value: moment(stop.stoppedAt) },
  ]
}

function useSecond({ secondTransactionId }: RefundDetail): Fact[] {
  const t = useTranslations('refunds')
  if (secondTransactionId === null) return []
  const term = t('secondPayment.number')
  return [
    { key: 'second', term, value: <Identifier value={secondTransactionId} name={term} whole /> },
    { key: 'secondMeans', term: t('secondPayment.of'), value: t('secondPayment.ofMeans') },
  ]
}

function useFacts(refund: RefundDetail): Fact[] {
  const t = useTranslations('refunds')
  const contradiction = useContradiction(refund)
  const stop = useStop(refund)
  const requesterOf = useRequester()
  const soldName = useSoldName()
  return [
    {
      key: 'order',
      term: t('outTradeNo'),
      value: <Identifier value={refund.outTradeNo} name={t('outTradeNo')} href={paths.order(refund)} whole />,
    },
    { key: 'plan', term: t('plan'), value: soldName(refund.planName) },
    { key: 'channel', term: t('channel'), value: t(`channels.${refund.channel}`) },
    ...useSecond(refund),
    {
      key: 'ofOrder',
      term: t('refundedOfOrder'),
      value: t('ofAmount', {
        refunded: formatFen(refund.orderRefundedFen),
        amount: formatFen(refund.orderAmountFen),
      }),
    },
    { key: 'reason', term: t('reason'), value: t(`reasons.${refund.reason}`) },
    { key: 'note', term: t('note'), value: refund.note || null },
    { key: 'days', term: t('daysTaken'), value: useDays(refund) },
    { key: 'requestedBy', term: t('requestedBy'), value: requesterOf(refund) },
    { key: 'approvedBy', term: t('approvedBy'), value: refund.approvedByEmail },
    { key: 'createdAt', term: t('createdAt'), value: moment(refund.createdAt) },
    { key: 'decidedAt', term: t('decidedAt'), value: moment(refund.decidedAt) },
    { key: 'submittedAt', term: t('submittedAt'), value: moment(refund.submittedAt) },
    { key: 'succeededAt', term: t('succeededAt'), value: moment(refund.succeededAt) },
    ...stop,
    ...contradiction,
    {
      key: 'platformId',
      term: t('platformRefundId'),
      value: refund.platformRefundId && (
        <Identifier value={refund.platformRefundId} name={t('platformRefundId')} whole />
      ),
    },
  ]
}

/** Why the platform did not accept it, and what follows. */
function Refusal({ refund: { state, failure } }: { refund: RefundDetail }) {
  const t = useTranslations('refunds')
  const wordsOf = useFailureWords()
  if (failure === null || (state !== 'refused' && state !== 'stopped')) return null
  return (
    <Notice tone={state === 'refused' ? 'bad' : 'info'}>
      <p>
        {wordsOf(failure)} <Raw>{failure}</Raw>
      </p>
      <p>{t(`stop.${state}`)}</p>
    </Notice>
  )
}

/** Apple decided and paid: what that did here, and that nobody here had a say in it. */
function MadeByApple({ refund }: { refund: RefundDetail }) {
  const t = useTranslations('refunds')
  if (refundOriginOf(refund) !== 'apple') return null
  const isOfSecond = refund.secondTransactionId !== null
  return (
    <Notice tone="info">
      <p>{t('apple.made')}</p>
      <p>{t(isOfSecond ? 'apple.madeOfSecond' : 'apple.madeTakes', { days: refund.daysTaken })}</p>
    </Notice>
  )
}

function Notices({ refund }: { refund: RefundDetail }) {
  const t = useTranslations('refunds')
  const { contradiction } = refund
  const counts = contradiction?.held || refund.status === 'succeeded'
  return (
    <>
      <Refusal refund={refund} />
      <MadeByApple refund={refund} />
      {contradiction?.decidedAt === null && (
        <Notice tone="bad">
          <p>
            {t('contradiction.notice', {
              ours: t(`statuses.${refund.status}`),
              theirs: t(`statuses.${contradiction.saidStatus}`),
            })}
          </p>
          <p>{t(`contradiction.${counts ? 'held' : 'notHeld'}`)}</p>
        </Notice>
      )}
      {refund.status === 'abnormal' && <Notice tone="bad">{t('abnormalNotice')}</Notice>}
      {isRefundUnderWay(refund) && (
        <Notice tone="info" icon="sync">
          {t('processingNotice')}
        </Notice>
      )}
    </>
  )
}

function Content({ refund, stale }: { refund: RefundDetail; stale: ReactNode }) {
  const t = useTranslations('refunds')
  const soldName = useSoldName()
  const { outRefundNo } = refund
  return (
    <>
      <DetailHead
        back={{ href: paths.refunds(), label: t('back') }}
        title={`${formatFen(-refund.amountFen)} · ${soldName(refund.planName)}`}
        id={{ value: outRefundNo, name: t('outRefundNo') }}
        pin={<PinButton />}
        state={<RefundStatusBadge state={refund.state} contradicted={refund.contradicted} />}
        actions={<RefundActs refund={refund} />}
      />
      {stale}
      <OpenAlerts about={{ outRefundNo }} />
      <DetailColumns
        aside={
          <>
            <RelatedCards key={refund.state} of={{ outTradeNo: refund.outTradeNo }} />
            <NotesPanel subject={{ kind: 'refund', id: outRefundNo }} />
          </>
        }
      >
        <WaitingStop refund={refund} />
        <Notices refund={refund} />
        <Panel title={t('facts')}>
          <DescriptionList items={useFacts(refund)} wide />
        </Panel>
      </DetailColumns>
    </>
  )
}

/** One refund; watched while the platform is at it, because accepted is not succeeded. */
export function RefundView({ outRefundNo }: { outRefundNo: string }) {
  const query = useQuery({
    ...useTRPC().refund.detail.queryOptions({ outRefundNo }),
    refetchInterval: ({ state }) => (state.data && isRefundUnderWay(state.data) ? WATCH_MS : false),
  })
  return (
    <Loaded query={query}>
      {(refund) => <Content refund={refund} stale={<StaleNotice of={query} />} />}
    </Loaded>
  )
}
