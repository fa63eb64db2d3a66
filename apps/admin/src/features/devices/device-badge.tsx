import type { DeviceRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge } from '../../ui/badge.tsx'

/** Whether somebody has it, and whether it is refused. */
export function DeviceBadge({ device: { disabledAt, owner } }: { device: DeviceRow }) {
  const t = useTranslations('devices')
  if (disabledAt)
    return (
      <Badge tone="bad" icon="alert">
        {t('states.disabled')}
      </Badge>
    )
  return owner ? (
    <Badge tone="ok" icon="checkCircle">
      {t('states.bound')}
    </Badge>
  ) : (
    <Badge tone="quiet" icon="dash">
      {t('states.unbound')}
    </Badge>
  )
}
