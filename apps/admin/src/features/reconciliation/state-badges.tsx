import type { DayState, ReconciledDay } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { IconName } from '../../ui/icon.tsx'
import styles from './reconciliation.module.css'

const looks: Record<DayState, { tone: Tone; icon: IconName }> = {
  open: { tone: 'wait', icon: 'clock' },
  matched: { tone: 'info', icon: 'check' },
  closed: { tone: 'ok', icon: 'checkCircle' },
}

/** How far a day is, and what stands in the way. */
export function DayBadges({ day }: { day: ReconciledDay }) {
  const t = useTranslations('reconciliation')
  return (
    <span className={styles['badges']}>
      <Badge {...looks[day.state]}>{t(`states.${day.state}`)}</Badge>
      {day.state !== 'open' && !day.explained && (
        <Badge tone="bad" icon="alert">
          {t('unexplained')}
        </Badge>
      )}
      {day.openDifferences > 0 && (
        <Badge tone="bad" icon="alert">
          {t('openCount', { count: day.openDifferences })}
        </Badge>
      )}
      {day.adjustments > 0 && (
        <Badge tone="back" icon="refund">
          {t('adjustmentCount', { count: day.adjustments })}
        </Badge>
      )}
    </span>
  )
}
