import { finalOutcomes, type NotificationOutcome } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge } from '../../ui/badge.tsx'

/** What became of a notification: done with, or still to be looked at. */
export function OutcomeBadge({ outcome }: { outcome: NotificationOutcome }) {
  const t = useTranslations('order.notificationOutcomes')
  const done = finalOutcomes.some((final) => final === outcome)
  return <Badge tone={done ? 'ok' : 'bad'}>{t(outcome)}</Badge>
}
