import { formatFen, type OrderDetail } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { signedDays, truncateMiddle } from '../../../format.ts'
import { paths } from '../../../paths.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { useNotificationType } from '../../notifications/notification-words.tsx'
import timeline from './timeline.module.css'
import { useWord } from './use-word.ts'

type LineProps = { tone: Tone; what: string; at: Date; aside?: ReactNode; how?: ReactNode }

/** One point in the line: what, when and how. */
export function Line({ tone, what, at, aside, how }: LineProps) {
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

export function GrantLine({ grant }: { grant: OrderDetail['grants'][number] }) {
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

export function NotificationLine({
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
      what={t('notificationLine')}
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
  return <Link href={paths.refund({ outRefundNo })}>{truncateMiddle(outRefundNo)}</Link>
}

export function RefundLine({
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

export function ActLine({ act }: { act: OrderDetail['acts'][number] }) {
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
