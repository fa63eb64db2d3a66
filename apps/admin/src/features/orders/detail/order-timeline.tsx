import type { OrderEvent, OrderStatus } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { Tone } from '../../../ui/badge.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { Panel } from '../../../ui/panel.tsx'
import timeline from './timeline.module.css'
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

function Entry({ event }: { event: OrderEvent }) {
  const t = useTranslations('order')
  const word = useWord()
  const move = useMove()(event)
  const moved = event.toStatus !== null && event.toStatus !== event.fromStatus
  const tone = moved && event.toStatus ? tones[event.toStatus] : event.toStatus ? 'quiet' : 'bad'
  return (
    <li className={timeline['event']} data-tone={tone}>
      <div className={timeline['what']}>
        <strong>{word('eventKinds', event.kind)}</strong>
        {move && <span className={timeline['move']}>{move}</span>}
      </div>
      <div className={timeline['when']}>
        <Moment time={event.at} exact relative />
      </div>
      <div className={timeline['how']}>
        <span>{word('channels', event.channel)}</span>
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
      </div>
    </li>
  )
}

/** All that happened to the order, newest first; the API tells it in the order it was written. */
export function OrderTimeline({ events }: { events: readonly OrderEvent[] }) {
  const t = useTranslations('order')
  const newestFirst = events.toReversed().toSorted((one, other) => other.at.getTime() - one.at.getTime())
  return (
    <Panel title={t('timeline')}>
      {events.length === 0 ? (
        <p>{t('timelineEmpty')}</p>
      ) : (
        <ol className={timeline['timeline']} aria-label={t('timeline')}>
          {newestFirst.map((event) => (
            <Entry key={event.id} event={event} />
          ))}
        </ol>
      )}
    </Panel>
  )
}
