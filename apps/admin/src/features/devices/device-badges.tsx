import type { DeviceRow } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { Badge } from '../../ui/badge.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import styles from './devices.module.css'

/** Whether somebody has it, and whether it is refused. */
export function DeviceBadge({
  device: { disabledAt, owner },
}: {
  device: Pick<DeviceRow, 'disabledAt' | 'owner'>
}) {
  const t = useTranslations('devices.states')
  if (disabledAt) return <Badge tone="bad">{t('disabled')}</Badge>
  return owner ? <Badge tone="ok">{t('bound')}</Badge> : <Badge tone="quiet">{t('unbound')}</Badge>
}

type Ending = { unboundAt: Date | null; endReason: string | null; proven: boolean }

/** Whether a binding stands, and how it ended. */
export function BindingEnd({ binding: { unboundAt, endReason, proven } }: { binding: Ending }) {
  const t = useTranslations('devices')
  const words: Readonly<Record<string, string>> = useMessages().devices.endReasons
  if (!unboundAt)
    return (
      <Badge tone="ok" icon={proven ? 'shield' : 'checkCircle'}>
        {t(proven ? 'boundProven' : 'boundNow')}
      </Badge>
    )
  return (
    <span className={styles['end']}>
      {words[endReason ?? 'unbound'] ?? endReason}
      <DateTime time={unboundAt} />
    </span>
  )
}
