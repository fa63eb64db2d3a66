import type { FeedItem, SubjectReference } from '@meridian/contracts'
import { formatFen } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { signedDays } from '../../../format.ts'
import { pathOfSubject, paths } from '../../../paths.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Link } from '../../../ui/link.tsx'
import { useSoldName } from '../../plans/plan-name.ts'

type Of<Kind extends FeedItem['kind']> = Extract<FeedItem, { kind: Kind }>

/** What a line of the feed says, how it looks, and who did it where that was somebody of the company. */
export type FeedSentence = { tone: Tone; says: ReactNode; by: string | null; aside?: ReactNode }

/** A piece of a sentence that leads to the thing it names. */
const linkTo = (subject: SubjectReference) => (chunks: ReactNode) => (
  <Link href={pathOfSubject(subject)} style={{ textDecoration: 'underline' }}>
    {chunks}
  </Link>
)

/** A number in a sentence: short, whole to point at and to copy, and the way to the thing it names. */
const numberOf = (kind: SubjectReference['kind'], id: string | null, name: string) => () =>
  id !== null && <Identifier value={id} name={name} href={pathOfSubject({ kind, id })} />

const moneyTones: Readonly<Record<string, Tone>> = {
  pay: 'ok',
  park: 'bad',
  mismatch: 'bad',
  second_transaction: 'bad',
  close: 'quiet',
  refund: 'back',
  refund_abnormal: 'bad',
  refund_rejected: 'quiet',
}

function useMoney(): (item: Of<'money'>) => FeedSentence {
  const t = useTranslations('feed')
  const { order, subscriptions } = useMessages()
  const soldName = useSoldName()
  const events: Readonly<Record<string, string>> = order.eventKinds
  const ways: Readonly<Record<string, string>> = order.channels
  return ({ event, outTradeNo, outRefundNo, planName, amountFen, by, channel }) => ({
    tone: moneyTones[event] ?? 'info',
    says: t.rich(outRefundNo === null ? 'order' : 'refund', {
      event: events[event] ?? event,
      plan: soldName(planName),
      amount: formatFen(amountFen),
      order: numberOf('order', outTradeNo, order.outTradeNo),
      refund: numberOf('refund', outRefundNo, subscriptions.outRefundNo),
    }),
    by: by ?? ways[channel] ?? channel,
  })
}

function useAccess(): (item: Of<'access'>) => FeedSentence {
  const t = useTranslations('feed')
  const order = useTranslations('order')
  return ({ grant, days, outTradeNo, serialNumber, reason, by }) => ({
    tone: days < 0 ? 'back' : 'ok',
    says: t.rich(outTradeNo ? 'daysOfOrder' : serialNumber ? 'daysOfDevice' : 'days', {
      kind: order(`grantKinds.${grant}`),
      days: order('signedDays', signedDays(days)),
      order: numberOf('order', outTradeNo, order('outTradeNo')),
      device: numberOf('device', serialNumber, order('serialNumber')),
    }),
    by,
    aside: reason,
  })
}

function useDevices(): (item: Of<'devices'>) => FeedSentence {
  const t = useTranslations('feed')
  const reasons: Readonly<Record<string, string>> = useMessages().devices.endReasons
  const { serialNumber: name } = useMessages().devices
  return ({ serialNumber, ended }) => ({
    tone: ended === null ? 'ok' : 'quiet',
    says: t.rich(ended === null ? 'bound' : 'unbound', {
      device: numberOf('device', serialNumber, name),
      reason: reasons[ended ?? ''] ?? ended ?? '',
    }),
    by: null,
  })
}

function useMessage(): (item: Of<'messages'>) => FeedSentence {
  const t = useTranslations('feed')
  const { users } = useMessages()
  const kinds: Readonly<Record<string, string>> = users.messageKinds
  const failures: Readonly<Record<string, string>> = users.messageFailures
  return ({ message, failure }) => ({
    tone: failure === null ? 'info' : 'bad',
    says: t(failure === null ? 'sent' : 'notSent', {
      message: kinds[message] ?? message,
      reason: failures[failure ?? ''] ?? failure ?? '',
    }),
    by: null,
  })
}

function useNote(): (item: Of<'notes'>) => FeedSentence {
  const t = useTranslations('feed')
  const notes = useTranslations('notes')
  return ({ subject, text, isWithdrawn, by }) => ({
    tone: 'info',
    says: t.rich('note', { subject: notes(`subjects.${subject.kind}`), link: linkTo(subject) }),
    by,
    aside: isWithdrawn ? notes('wasWithdrawn') : (text ?? notes('erased')),
  })
}

/** Each item of the feed as a sentence with links. */
export function useFeedSentence(): (item: FeedItem) => FeedSentence {
  const t = useTranslations('feed')
  const acts: Readonly<Record<string, string>> = useMessages().feed.acts
  const says = {
    money: useMoney(),
    access: useAccess(),
    devices: useDevices(),
    messages: useMessage(),
    notes: useNote(),
  }
  return (item) => {
    switch (item.kind) {
      case 'money':
        return says.money(item)
      case 'access':
        return says.access(item)
      case 'devices':
        return says.devices(item)
      case 'messages':
        return says.messages(item)
      case 'notes':
        return says.notes(item)
      case 'sessions':
        return { tone: 'quiet', says: t('signedIn'), by: null }
      case 'reports':
        return {
          tone: 'info',
          says: t.rich(item.report, {
            link: (chunks) => (
              <Link href={paths.report({ id: item.reportId })} style={{ textDecoration: 'underline' }}>
                {chunks}
              </Link>
            ),
          }),
          by: null,
        }
      case 'account':
        return {
          tone: item.action === 'user.disable' ? 'bad' : 'info',
          says: acts[item.action.replace('.', '_')] ?? item.action,
          by: item.by,
          aside: item.reason,
        }
    }
  }
}
