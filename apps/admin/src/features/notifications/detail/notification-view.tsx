'use client'

import type { NotificationDetail, NotificationOutcomeEntry, NotificationPayload } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMessages, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { formatCount } from '../../../format.ts'
import { DialogAct } from '../../../kit/act/define-act.tsx'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { Loaded } from '../../../kit/page/page-content.tsx'
import { paths } from '../../../paths.ts'
import type { Column } from '../../../ui/data-table/column.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { DetailColumns, DetailHead } from '../../../ui/detail-page.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { RawBlock } from '../../../ui/raw-block.tsx'
import { Raw } from '../../../ui/text.tsx'
import { MismatchTable, mismatchOf } from '../../mismatch/mismatch-table.tsx'
import { RelatedCards } from '../../related/customer-card.tsx'
import { isPush, OutcomeBadge, useNotificationType } from '../notification-words.tsx'
import { replayNotification, revealPayload } from './notification-acts.tsx'

/** What differed, or why it could not be read. */
function Why({ detail }: { detail: NotificationOutcomeEntry['detail'] }) {
  const t = useTranslations('notifications')
  const reasons: Readonly<Record<string, string>> = useMessages().notifications.reasons
  const rows = mismatchOf(detail)
  const { reason, verdict } = detail
  if (rows.length > 0) return <MismatchTable rows={rows} />
  if (verdict === 'contradicted') return <>{t('contradicted')}</>
  return typeof reason === 'string' ? (reasons[reason] ?? reason) : null
}

/** Each time the notification was processed, newest first: nothing is overwritten here. */
function OutcomeHistory({ outcomes }: { outcomes: readonly NotificationOutcomeEntry[] }) {
  const t = useTranslations('notifications')
  const column = columnsOf(t)
  const columns: Column<NotificationOutcomeEntry>[] = [
    column.time('at', ({ at }) => at, { exact: true }),
    column.text('processedBy', ({ replayed }) => t(replayed ? 'byReplay' : 'byDelivery')),
    column.cell('outcome', ({ outcome }) => <OutcomeBadge outcome={outcome} />),
    column.cell('differed', ({ detail }) => <Why detail={detail} />),
  ]
  return <RecordsPanel title={t('history')} rows={outcomes} rowKey={({ id }) => id} columns={columns} />
}

const text = (value: unknown) => JSON.stringify(value, null, 2)

function NotificationFacts({ notification }: { notification: NotificationDetail }) {
  const t = useTranslations('notifications')
  const typeOf = useNotificationType()
  const { outTradeNo, serial, eventType } = notification
  const facts = [
    {
      key: 'type',
      term: t('eventType'),
      value: (
        <span>
          {typeOf(eventType)} <Raw>{eventType}</Raw>
        </span>
      ),
    },
    {
      key: 'order',
      term: t('outTradeNo'),
      value: outTradeNo && (
        <Identifier value={outTradeNo} name={t('outTradeNo')} href={paths.order({ outTradeNo })} whole />
      ),
    },
    { key: 'deliveries', term: t('deliveries'), value: formatCount(notification.deliveries) },
    { key: 'firstAt', term: t('firstAt'), value: <DateTime time={notification.firstAt} exact relative /> },
    { key: 'lastAt', term: t('lastAt'), value: <DateTime time={notification.lastAt} exact /> },
    { key: 'bytes', term: t('bytes'), value: formatCount(notification.bodyBytes) },
    isPush(eventType)
      ? { key: 'serial', term: t('verifiedBy'), value: t('messagePush') }
      : { key: 'serial', term: t('serial'), value: <Identifier value={serial} name={t('serial')} /> },
  ]
  return (
    <Panel title={t('facts')}>
      <DescriptionList items={facts} wide />
    </Panel>
  )
}

/** What was in it, masked until somebody says why they must see it. */
function Payload({ notification }: { notification: NotificationDetail }) {
  const t = useTranslations('notifications')
  const [shown, setShown] = useState<NotificationPayload | null>(null)
  return (
    <>
      <Panel
        title={t(shown ? 'payloadWhole' : 'payloadMasked')}
        aside={<DialogAct of={revealPayload} id={notification.id} onShown={setShown} quiet />}
      >
        <RawBlock>{text(shown ? shown.payload : notification.payload)}</RawBlock>
      </Panel>
      {shown && (
        <Panel title={t('body')}>
          <RawBlock>{shown.body}</RawBlock>
        </Panel>
      )}
      <Panel title={t(isPush(notification.eventType) ? 'pushHeaders' : 'headers')}>
        <RawBlock>{text(notification.headers)}</RawBlock>
      </Panel>
    </>
  )
}

/** One notification of the inbox: what it says, what became of it, and what a replay would do. */
export function NotificationView({ id }: { id: string }) {
  const t = useTranslations('notifications')
  const typeOf = useNotificationType()
  const query = useQuery(useTRPC().notification.detail.queryOptions({ id }))
  return (
    <Loaded query={query}>
      {(notification) => (
        <>
          <DetailHead
            back={{ href: paths.notifications(), label: t('back') }}
            title={typeOf(notification.eventType)}
            id={{ value: id, name: t('id') }}
            state={<OutcomeBadge outcome={notification.outcome} />}
            actions={<DialogAct of={replayNotification} id={notification.id} />}
          />
          <DetailColumns
            aside={
              notification.outTradeNo && (
                <RelatedCards key={notification.outcome} of={{ outTradeNo: notification.outTradeNo }} />
              )
            }
          >
            <NotificationFacts notification={notification} />
            <OutcomeHistory outcomes={notification.outcomes} />
            <Payload notification={notification} />
          </DetailColumns>
        </>
      )}
    </Loaded>
  )
}
