import { formatFen, type OrderDetail, type OrderEvent, type OrderStatus } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import timeline from './timeline.module.css'
import { type TimelineEntry, timelineOf } from './timeline-entries.ts'
import { ActLine, GrantLine, Line, NotificationLine, RefundLine } from './timeline-lines.tsx'
import { useWord } from './use-word.ts'

const tones: Record<OrderStatus, Tone> = {
  created: 'info',
  prepay: 'wait',
  paid: 'ok',
  closed: 'quiet',
  refunded: 'back',
}

function useMove(): (event: OrderEvent) => string | null {
  const t = useTranslations('order')
  const words = useTranslations('orders.statuses')
  return ({ fromStatus, toStatus }) => {
    if (!toStatus || fromStatus === toStatus) return null
    if (!fromStatus) return t('became', { to: words(toStatus) })
    return t('moved', { from: words(fromStatus), to: words(toStatus) })
  }
}

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** What an event says beside its kind: the refund it is about, and why somebody decided so. */
function Details({ event: { detail } }: { event: OrderEvent }) {
  const { out_refund_no, amount_fen: amountFen, note } = detail
  const outRefundNo = textIn(out_refund_no)
  const reason = textIn(note)
  return (
    <>
      {outRefundNo && (
        <Link href={paths.refund({ outRefundNo })}>
          {typeof amountFen === 'number' ? formatFen(-amountFen) : outRefundNo}
        </Link>
      )}
      {reason && <span>{reason}</span>}
    </>
  )
}

function EventLine({ event }: { event: OrderEvent }) {
  const t = useTranslations('order')
  const word = useWord()
  const move = useMove()(event)
  const moved = event.toStatus !== null && event.toStatus !== event.fromStatus
  const tone = moved && event.toStatus ? tones[event.toStatus] : event.toStatus ? 'quiet' : 'bad'
  const how = (
    <>
      <span>{word('channels', event.channel)}</span>
      <Details event={event} />
      {event.operatorEmail && (
        <span>
          {t('byOperator')} {event.operatorEmail}
        </span>
      )}
      {event.requestId && (
        <span className={timeline['request']}>
          {t('requestId')} <Identifier value={event.requestId} name={t('requestId')} />
        </span>
      )}
    </>
  )
  return <Line tone={tone} what={word('eventKinds', event.kind)} at={event.at} aside={move} how={how} />
}

function Entry({ entry }: { entry: TimelineEntry }) {
  if (entry.from === 'event') return <EventLine event={entry.event} />
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
            <Entry key={entry.key} entry={entry} />
          ))}
        </ol>
      )}
    </Panel>
  )
}
