import type { RefundState } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { IconName } from '../../ui/icon.tsx'
import styles from './refunds.module.css'

const looks: Record<RefundState, { tone: Tone; icon: IconName }> = {
  requested: { tone: 'wait', icon: 'clock' },
  approved: { tone: 'info', icon: 'check' },
  processing: { tone: 'info', icon: 'sync' },
  succeeded: { tone: 'back', icon: 'refund' },
  closed: { tone: 'quiet', icon: 'close' },
  abnormal: { tone: 'bad', icon: 'alert' },
  rejected: { tone: 'quiet', icon: 'dash' },
  refused: { tone: 'bad', icon: 'alert' },
  stopped: { tone: 'quiet', icon: 'close' },
}

type RefundStatusBadgeProps = {
  state: RefundState
  /** The platform said another end, and nobody has decided yet. */
  contradicted?: boolean
}

export function RefundStatusBadge({ state, contradicted = false }: RefundStatusBadgeProps) {
  const t = useTranslations('refunds')
  return (
    <span className={styles['badges']}>
      <Badge {...looks[state]}>{t(`statuses.${state}`)}</Badge>
      {contradicted && (
        <Badge tone="bad" icon="alert">
          {t('contradiction.badge')}
        </Badge>
      )}
    </span>
  )
}
