import { useTranslations } from 'next-intl'
import { Badge } from '../../ui/badge.tsx'

const SOON_DAYS = 7

type Standing = { isActive: boolean; remainingDays: number; expiresAt: Date | null }

/** Whether there ever were days, whether any are left, and whether soon none are. */
export function SubscriptionBadge({ isActive, remainingDays, expiresAt }: Standing) {
  const t = useTranslations('subscriptions')
  if (!isActive) return <Badge tone="quiet">{t(expiresAt ? 'states.expired' : 'states.none')}</Badge>
  return remainingDays <= SOON_DAYS ? (
    <Badge tone="wait">{t('endsSoon')}</Badge>
  ) : (
    <Badge tone="ok">{t('states.active')}</Badge>
  )
}
