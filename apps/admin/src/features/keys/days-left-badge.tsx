import { useTranslations } from 'next-intl'
import { Badge } from '../../ui/badge.tsx'

const SOON_DAYS = 30

/** How long a key or a certificate is valid yet. */
export function DaysLeftBadge({ daysLeft }: { daysLeft: number }) {
  const t = useTranslations('keys')
  const tone = daysLeft < 0 ? 'bad' : daysLeft <= SOON_DAYS ? 'wait' : 'ok'
  return (
    <Badge tone={tone} icon={tone === 'ok' ? 'checkCircle' : 'alert'}>
      {daysLeft < 0 ? t('over') : t('daysLeft', { days: daysLeft })}
    </Badge>
  )
}
