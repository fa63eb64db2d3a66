import { finalOutcomes, type NotificationOutcome } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { Badge } from '../../ui/badge.tsx'

/** The words for the type that the platform gives a notification; one that is newer than this console is shown as it is. */
export function useNotificationType(): (eventType: string) => string {
  const words: Readonly<Record<string, string>> = useMessages().order.notificationTypes
  return (eventType) => words[eventType.toLowerCase().replace('.', '_')] ?? eventType
}

/** Whether the mini-program's message push brought it: its events bear names of their own. */
export const isPush = (eventType: string): boolean => eventType.startsWith('xpay_')

/** What became of a notification: done with, or still to be looked at. */
export function OutcomeBadge({ outcome }: { outcome: NotificationOutcome }) {
  const t = useTranslations('order.notificationOutcomes')
  const done = finalOutcomes.some((final) => final === outcome)
  return <Badge tone={done ? 'ok' : 'bad'}>{t(outcome)}</Badge>
}
