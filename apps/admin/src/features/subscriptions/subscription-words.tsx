import { ENDS_SOON_DAYS } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { Badge } from '../../ui/badge.tsx'

/** The word for a feature; one that this console does not know yet is shown by its code. */
export function useFeatureName(): (feature: string) => string {
  const words: Readonly<Record<string, string>> = useMessages().subscriptions.features
  return (feature) => words[feature] ?? feature
}

type Standing = { isActive: boolean; remainingDays: number; expiresAt: Date | null }

/** Whether there ever were days, whether any are left, and whether soon none are. */
export function SubscriptionBadge({ isActive, remainingDays, expiresAt }: Standing) {
  const t = useTranslations('subscriptions')
  if (!isActive) return <Badge tone="quiet">{t(expiresAt ? 'states.expired' : 'states.none')}</Badge>
  return remainingDays <= ENDS_SOON_DAYS ? (
    <Badge tone="wait">{t('endsSoon')}</Badge>
  ) : (
    <Badge tone="ok">{t('states.active')}</Badge>
  )
}
