import { useTranslations } from 'next-intl'
import { Badge } from '../../ui/badge.tsx'

const SOON_DAYS = 7

/** Whether days are left, and whether soon none are. */
export function SubscriptionBadge({ isActive, remainingDays }: { isActive: boolean; remainingDays: number }) {
  const t = useTranslations('subscriptions')
  if (!isActive)
    return (
      <Badge tone="quiet" icon="dash">
        {t('states.expired')}
      </Badge>
    )
  return remainingDays <= SOON_DAYS ? (
    <Badge tone="wait" icon="clock">
      {t('endsSoon')}
    </Badge>
  ) : (
    <Badge tone="ok" icon="checkCircle">
      {t('states.active')}
    </Badge>
  )
}
