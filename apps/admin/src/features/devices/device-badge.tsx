import type { DeviceRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge } from '../../ui/badge.tsx'

/** Whether somebody has it, and whether it is refused. */
export function DeviceBadge({ device: { disabledAt, owner } }: { device: DeviceRow }) {
  const t = useTranslations('devices.states')
  if (disabledAt) return <Badge tone="bad">{t('disabled')}</Badge>
  return owner ? <Badge tone="ok">{t('bound')}</Badge> : <Badge tone="quiet">{t('unbound')}</Badge>
}
