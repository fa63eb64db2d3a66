import {
  formatFen,
  type OrderDetail,
  type OrderEvent,
  type OrderStatus,
  type PlatformReply,
  platformAnswers,
  platformFailures,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { signedDays } from '../../../format.ts'
import { paths } from '../../../paths.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Link } from '../../../ui/link.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { isPush, useNotificationType } from '../../notifications/notification-words.tsx'
import { CallNumber, EventDetails, textIn } from './event-details.tsx'
import { useWord } from './order-panels.tsx'
import timeline from './timeline.module.css'
import { type TimelineEntry, timelineOf } from './timeline-entries.ts'

type LineProps = { tone: Tone; what: string; at: Date; aside?: ReactNode; how?: ReactNode }

/** One point in the line: what, when and how. */
function Line({ tone, what, at, aside, how }: LineProps) {
  return (
    <li className={timeline['event']} data-tone={tone}>
      <div className={timeline['what']}>
        <strong>{what}</strong>
        {aside && <span className={timeline['move']}>{aside}</span>}
      </div>
      <div className={timeline['when']}>
        <DateTime time={at} exact relative />
      </div>
      {how && <div className={timeline['how']}>{how}</div>}
    </li>
  )
}

function GrantLine({ grant }: { grant: OrderDetail['grants'][number] }) {
  const t = useTranslations('order')
  const word = useWord()
  return (
    <Line
      tone={grant.days < 0 ? 'back' : 'ok'}
      what={t('grantLine', { kind: word('grantKinds', grant.kind) })}
      at={grant.createdAt}
      aside={t('signedDays', signedDays(grant.days))}
    />
  )
}

function NotificationLine({
  notification: { id, eventType, outcome, deliveries, firstAt },
}: {
  notification: OrderDetail['notifications'][number]
}) {
  const t = useTranslations('order')
  const word = useWord()
  const typeOf = useNotificationType()
  return (
    <Line
      tone="info"
      what={t(isPush(eventType) ? 'pushLine' : 'notificationLine')}
      at={firstAt}
      aside={word('notificationOutcomes', outcome)}
      how={
        <>
          <span>{typeOf(eventType)}</span>
          <span>{t('deliveredTimes', { deliveries })}</span>
          <Link href={paths.notification({ id })}>{t('showNotification')}</Link>
        </>
      }
    />
  )
}

function RefundLink({ outRefundNo }: { outRefundNo: string }) {
  const name = useTranslations('refunds')('outRefundNo')
  return <Identifier value={outRefundNo} name={name} href={paths.refund({ outRefundNo })} />
}

function RefundLine({
  refund: { outRefundNo, amountFen, createdAt },
}: {
  refund: OrderDetail['refunds'][number]
}) {
  const t = useTranslations('order')
  return (
    <Line
      tone="back"
      what={t('refundLine')}
      at={createdAt}
      aside={formatFen(-amountFen)}
      how={<RefundLink outRefundNo={outRefundNo} />}
    />
  )
}

function ActLine({ act }: { act: OrderDetail['acts'][number] }) {
  const t = useTranslations('order')
  const word = useWord()
  return (
    <Line
      tone="quiet"
      what={word('acts', act.action.replace('.', '_'))}
      at={act.at}
      how={
        <>
          {act.outRefundNo && <RefundLink outRefundNo={act.outRefundNo} />}
          <span>
            {t('byOperator')} {act.operatorEmail}
          </span>
        </>
      }
    />
  )
}

const tones: Record<OrderStatus, Tone> = {
  created: 'info',
  prepay: 'wait',
  paid: 'ok',
  closed: 'quiet',
  refunded: 'back',
}

const replyIn = ({ detail }: OrderEvent): Partial<Pick<PlatformReply, 'answer' | 'code'>> => {
  const answer = platformAnswers.find((one) => one === detail['answer'])
  const code = platformFailures.find((one) => one === detail['code'])
  return answer ? { answer, ...(code && { code }) } : {}
}

function toneOf(event: OrderEvent): Tone {
  const { fromStatus, toStatus } = event
  if (!toStatus || replyIn(event).answer === 'failed') return 'bad'
  return toStatus === fromStatus ? 'quiet' : tones[toStatus]
}

/** What an event brought: the status it moved the order to, or what the platform replied without moving it. */
function useOutcome(): (event: OrderEvent) => string | null {
  const t = useTranslations('order')
  const words = useTranslations('orders.statuses')
  const word = useWord()
  return (event) => {
    const { fromStatus, toStatus } = event
    const { answer, code } = replyIn(event)
    if (answer) return word('platformReplies', code ?? answer)
    if (!toStatus || fromStatus === toStatus) return null
    if (!fromStatus) return t('became', { to: words(toStatus) })
    return t('moved', { from: words(fromStatus), to: words(toStatus) })
  }
}

/** A signed payment of the virtual channel has no number of the platform, as a prepayment has. */
const kindOf = ({ kind }: OrderEvent, channel: OrderDetail['channel']) =>
  kind === 'prepare' && channel === 'virtual' ? 'attempt' : kind

type EventProps = { event: OrderEvent; channel: OrderDetail['channel'] }

function EventLine({ event, channel }: EventProps) {
  const t = useTranslations('order')
  const word = useWord()
  const outcome = useOutcome()(event)
  const platformRequestId = textIn(event.detail['platform_request_id'])
  const how = (
    <>
      <span>{word('channels', event.channel)}</span>
      <EventDetails event={event} />
      {event.requesterEmail && (
        <span>
          {t('askedBy')} {event.requesterEmail}
        </span>
      )}
      {event.operatorEmail && (
        <span>
          {t('byOperator')} {event.operatorEmail}
        </span>
      )}
      {platformRequestId && <CallNumber name={t('platformRequestId')} value={platformRequestId} />}
      {event.requestId && <CallNumber name={t('requestId')} value={event.requestId} />}
    </>
  )
  const what = word('eventKinds', kindOf(event, channel))
  return <Line tone={toneOf(event)} what={what} at={event.at} aside={outcome} how={how} />
}

function Entry({ entry, channel }: { entry: TimelineEntry; channel: OrderDetail['channel'] }) {
  if (entry.from === 'event') return <EventLine event={entry.event} channel={channel} />
  if (entry.from === 'notification') return <NotificationLine notification={entry.notification} />
  if (entry.from === 'grant') return <GrantLine grant={entry.grant} />
  return entry.from === 'refund' ? <RefundLine refund={entry.refund} /> : <ActLine act={entry.act} />
}

/** All that happened to the order, newest first: events, notifications, days, refunds and operators' acts. */
export function OrderTimeline({ order }: { order: OrderDetail }) {
  const t = useTranslations('order')
  const entries = timelineOf(order)
  return (
    <Panel title={t('timeline')}>
      {entries.length === 0 ? (
        <p>{t('timelineEmpty')}</p>
      ) : (
        <ol className={timeline['timeline']} aria-label={t('timeline')}>
          {entries.map((entry) => (
            <Entry key={entry.key} entry={entry} channel={order.channel} />
          ))}
        </ol>
      )}
    </Panel>
  )
}
