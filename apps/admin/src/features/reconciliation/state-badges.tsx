import type { DayState, ReconciledDay } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, type Look } from '../../ui/badge.tsx'
import styles from './reconciliation.module.css'

const looks: Record<DayState, Look> = {
  open: { tone: 'wait' },
  matched: { tone: 'info' },
  closed: { tone: 'ok' },
}

/** How far a day is, and what stands in the way. */
export function DayBadges({ day }: { day: ReconciledDay }) {
  const t = useTranslations('reconciliation')
  return (
    <span className={styles['badges']}>
      <Badge {...looks[day.state]}>{t(`states.${day.state}`)}</Badge>
      {day.state !== 'open' && !day.explained && <Badge tone="bad">{t('unexplained')}</Badge>}
      {day.openDifferences > 0 && <Badge tone="bad">{t('openCount', { count: day.openDifferences })}</Badge>}
      {day.adjustments > 0 && <Badge tone="back">{t('adjustmentCount', { count: day.adjustments })}</Badge>}
    </span>
  )
}
